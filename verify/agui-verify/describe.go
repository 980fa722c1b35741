package main

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agui-go/agui/events"
)

// maxShown is how much of a text or of an event's JSON is shown, in bytes.
const maxShown = 100

// describe returns an event as a compact line: its type, what it is about, and what it says.
func describe(ev events.Event) string {
	parts := append([]string{printable(string(ev.EventType()))}, details(ev)...)
	if tag, tagged := events.SubagentRunID(ev).Get(); tagged {
		parts = append(parts, "(subagent "+quote(tag)+")")
	}
	return strings.Join(parts, " ")
}

// details returns the members of an event that matter, in its pointer form; of the rare events, all.
func details(ev events.Event) []string {
	switch ev := ev.(type) {
	case *events.RunStarted:
		return []string{"thread", quote(ev.ThreadID), "run", quote(ev.RunID)}
	case *events.RunFinished:
		if ev.Outcome == nil {
			return []string{"run", quote(ev.RunID)}
		}
	case *events.RunError:
		return []string{quote(ev.Message)}
	case *events.StepStarted:
		return []string{quote(ev.StepName)}
	case *events.StepFinished:
		return []string{quote(ev.StepName)}
	case *events.TextMessageStart:
		return []string{quote(ev.MessageID)}
	case *events.TextMessageContent:
		return []string{quote(ev.MessageID), quote(ev.Delta)}
	case *events.TextMessageEnd:
		return []string{quote(ev.MessageID)}
	case *events.ToolCallStart:
		return []string{quote(ev.ToolCallID), quote(ev.ToolCallName)}
	case *events.ToolCallArgs:
		return []string{quote(ev.ToolCallID), quote(ev.Delta)}
	case *events.ToolCallEnd:
		return []string{quote(ev.ToolCallID)}
	case *events.ReasoningStart:
		return []string{quote(ev.MessageID)}
	case *events.ReasoningEnd:
		return []string{quote(ev.MessageID)}
	case *events.ReasoningMessageStart:
		return []string{quote(ev.MessageID)}
	case *events.ReasoningMessageContent:
		return []string{quote(ev.MessageID), quote(ev.Delta)}
	case *events.ReasoningMessageEnd:
		return []string{quote(ev.MessageID)}
	}
	text, err := ev.AppendJSON(nil)
	if err != nil {
		return []string{printable(err.Error())}
	}
	rest := strings.TrimPrefix(string(text), `{"type":`+strconv.Quote(string(ev.EventType()))+",")
	return []string{printable(cut("{" + strings.TrimPrefix(rest, "{")))}
}

// quote returns a text from elsewhere as one quoted word that is safe to print.
func quote(s string) string { return strconv.Quote(cut(s)) }

func cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	end := maxShown
	for end > maxShown-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
