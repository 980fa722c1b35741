//go:build conformance

package conformance

import (
	"context"
	"strings"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
)

// actor is one goroutine of a program, with the views and handles that it holds.
type actor struct {
	*dice
	*program
	view      *emitter.Emitter
	subagents []*emitter.Subagent
	texts     []*emitter.TextMessage
	calls     []*emitter.ToolCall
	thoughts  []*emitter.ReasoningMessage
}

func (p *program) actor(view *emitter.Emitter, d *dice) *actor {
	return &actor{dice: d, program: p, view: view}
}

func (a *actor) acts(n int) {
	for range n {
		a.act()
	}
}

// act does one thing, right or wrong.
func (a *actor) act() {
	em := a.view
	if len(a.subagents) > 0 && a.dice.once(2) {
		em = pick(a.dice, a.subagents...).Emitter
	}
	switch a.dice.IntN(12) {
	case 0, 1, 2, 3:
		a.program.result(a.flat(em))
	case 4, 5, 6, 7:
		a.program.result(a.handle(em))
	case 8:
		a.program.result(a.subagent(em))
	case 9:
		a.program.result(em.Step(pick(a.dice, "a", "b"), func() error {
			a.acts(a.dice.IntN(3))
			if a.dice.once(5) {
				return errStop
			}
			return nil
		}))
	case 10:
		a.program.result(a.emit(em))
	case 11:
		a.program.result(a.rare(em))
	}
}

// options returns options that every call takes, mostly none.
func (a *actor) options() []emitter.AnyOption {
	var list []emitter.AnyOption
	if a.dice.once(12) {
		list = append(list, emitter.Metadata(map[string]any{"k": "v"}))
	}
	if a.dice.once(12) {
		list = append(list, emitter.RawEvent(map[string]any{"n": nil}))
	}
	if a.dice.once(12) {
		list = append(list, emitter.Timestamp(time.UnixMilli(1767225600000)))
	}
	if a.dice.once(60) {
		list = append(list, emitter.Metadata("no object"))
	}
	if a.dice.once(60) {
		list = append(list, emitter.Metadata(func() {}))
	}
	return list
}

// as gives options the type that a call wants.
func as[T any](list []emitter.AnyOption, more ...T) []T {
	for _, o := range list {
		more = append(more, o.(T))
	}
	return more
}

func (a *actor) flat(em *emitter.Emitter) error {
	d, opts := a.dice, a.options()
	common := as[emitter.EventOption](opts)
	switch d.IntN(24) {
	case 0:
		return em.TextStart(d.message(), as(opts, emitter.Role(pick(d, events.RoleAssistant, events.RoleUser, events.RoleTool)))...)
	case 1:
		return em.TextStart(d.message(), as[emitter.TextOption](opts)...)
	case 2:
		return em.TextContent(d.message(), a.delta(), common...)
	case 3:
		return em.TextEnd(d.message(), common...)
	case 4, 5:
		return em.TextChunk(pick(d, d.message(), ""), pick(d, a.delta(), ""), as[emitter.TextOption](opts)...)
	case 6:
		return em.ToolStart(d.call(), "f", as(opts, emitter.Parent(d.message()))...)
	case 7:
		return em.ToolStart(d.call(), "f", as[emitter.ToolOption](opts)...)
	case 8:
		return em.ToolArgs(d.call(), a.delta(), common...)
	case 9:
		return em.ToolEnd(d.call(), common...)
	case 10:
		return em.ToolResult(d.call(), "ok", as[emitter.ResultOption](opts)...)
	case 11, 12:
		return em.ToolChunk(pick(d, d.call(), ""), pick(d, "f", ""), pick(d, a.delta(), ""), as[emitter.ToolOption](opts)...)
	case 13:
		return em.ReasoningStart(d.reasoning(), common...)
	case 14:
		return em.ReasoningMessageStart(d.reasoning(), common...)
	case 15:
		return em.ReasoningContent(d.reasoning(), a.delta(), common...)
	case 16:
		return em.ReasoningMessageEnd(d.reasoning(), common...)
	case 17:
		return em.ReasoningEnd(d.reasoning(), common...)
	case 18, 19:
		return em.ReasoningChunk(pick(d, d.reasoning(), ""), pick(d, a.delta(), ""), common...)
	case 20:
		return em.ReasoningEncrypted(pick(d, events.EncryptedMessage, events.EncryptedToolCall, "other"), pick(d, d.message(), d.call(), d.reasoning()), "q", common...)
	case 21:
		return em.StepStart(pick(d, "a", "b"), common...)
	case 22:
		return em.StepFinish(pick(d, "a", "b"), common...)
	}
	return a.flatUnordered(em, common)
}

func (a *actor) flatUnordered(em *emitter.Emitter, common []emitter.EventOption) error {
	d := a.dice
	switch d.IntN(8) {
	case 0:
		return em.StateSnapshot(pick[any](d, nil, 1, map[string]any{"n": 1}, "\u2028\xff"), common...)
	case 1:
		return em.StateSnapshot(func() {}, common...)
	case 2:
		return em.StateDelta(events.Patch{pick(d, events.Add("/n", 1), events.Test("/n", 5), events.Remove("n"))}, common...)
	case 3:
		return em.MessagesSnapshot(d.history(), common...)
	case 4:
		return em.ActivitySnapshot(d.id("v"), "plan", pick[any](d, map[string]any{"n": 1}, map[string]any{}, 5), emitter.Replace(d.once(2)))
	case 5:
		return em.ActivityDelta(d.id("v"), "plan", events.Patch{events.Add("/n", 1)}, common...)
	case 6:
		return em.Raw(map[string]any{"n": nil}, emitter.Source("openai"))
	}
	return em.Custom("example.x", pick[any](d, nil, 1), common...)
}

// delta is a piece of text, some of which are no whole characters and some no JSON.
func (a *actor) delta() string {
	return pick(a.dice, "x", "", "{}", `{"q":"`, "ü\n\r\u2028", "\xc3", "\xbc", "data: x\n\n", strings.Repeat("long ", 60))
}

func (a *actor) handle(em *emitter.Emitter) error {
	d := a.dice
	switch d.IntN(9) {
	case 0:
		a.texts = append(a.texts, em.Text(as[emitter.TextOption](a.options())...))
		return a.texts[len(a.texts)-1].Err()
	case 1:
		a.calls = append(a.calls, em.ToolCall("f", as[emitter.ToolOption](a.options())...))
		return a.calls[len(a.calls)-1].Err()
	case 2:
		a.thoughts = append(a.thoughts, em.Reasoning(as[emitter.EventOption](a.options())...))
		return a.thoughts[len(a.thoughts)-1].Err()
	case 3, 4:
		if len(a.texts) > 0 {
			_, err := pick(d, a.texts...).Write([]byte(a.delta()))
			return err
		}
	case 5:
		if len(a.calls) > 0 {
			call := pick(d, a.calls...)
			switch d.IntN(3) {
			case 0:
				return call.WriteJSON(pick[any](d, 1, map[string]any{"q": "x"}, func() {}))
			case 1:
				return call.Result("ok")
			}
			_, err := call.WriteString(a.delta())
			return err
		}
	case 6:
		if len(a.thoughts) > 0 {
			_, err := pick(d, a.thoughts...).WriteString(a.delta())
			return err
		}
	case 7:
		if len(a.texts) > 0 {
			return pick(d, a.texts...).Close()
		}
	case 8:
		if len(a.calls) > 0 && d.once(2) {
			return pick(d, a.calls...).Close()
		}
		if len(a.thoughts) > 0 {
			return pick(d, a.thoughts...).Close()
		}
	}
	return a.flat(em)
}

func (a *actor) subagent(em *emitter.Emitter) error {
	d := a.dice
	if len(a.subagents) == 0 || d.once(3) {
		sub := em.Subagent(pick(d, d.sub(), d.sub(), em.NewID(ids.Subagent)), "n", as(a.options(), emitter.SpawnedBy(d.call()))...)
		a.subagents = append(a.subagents, sub)
		return sub.Err()
	}
	sub := pick(d, a.subagents...)
	switch d.IntN(4) {
	case 0:
		return sub.Finish(map[string]any{"n": 1})
	case 1:
		return sub.Fail("failed", "e")
	case 2:
		return sub.Suspend("i")
	}
	return sub.Close()
}

// emit sends an event value, some of which are not what the schema wants.
func (a *actor) emit(em *emitter.Emitter) error {
	if a.dice.once(8) {
		if ev, _ := a.dice.malformed(); ev != nil {
			return em.Emit(ev)
		}
	}
	ev := a.dice.event()
	switch ev := ev.(type) {
	case *events.RunFinished, *events.RunError:
		if !a.dice.once(10) {
			return nil
		}
	case *events.TextMessageChunk:
		return em.Emit(*ev)
	}
	return em.Emit(ev)
}

// rare does what a program does seldom.
func (a *actor) rare(em *emitter.Emitter) error {
	d := a.dice
	switch d.IntN(12) {
	case 0:
		return em.RunStart("t", "r")
	case 1:
		a.view = em.WithContext(context.WithValue(context.Background(), a, 1))
		return nil
	case 2:
		if d.once(3) {
			return em.CloseOpen()
		}
	case 3:
		if d.once(6) {
			return em.RunFinish(nil, emitter.PendingToolCalls(d.call()))
		}
	case 4:
		if d.once(12) {
			return em.RunError("failed", "")
		}
	case 5:
		if d.once(6) {
			return em.RunInterrupt()
		}
	case 6:
		return em.Emit(unknown("THINKING_START"))
	case 7:
		return em.Emit(&events.RunFinished{ThreadID: "t", RunID: "another"})
	}
	return a.emit(em)
}
