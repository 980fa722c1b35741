package main

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
)

// run answers one request, and is all that an agent is. RUN_STARTED has been written when it is
// called. What it returns ends the run: nil as a success, an error as RUN_ERROR with a fixed text, so
// that no inner detail reaches the client.
func run(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
	if err := resume(in, em); err != nil {
		return err
	}
	if len(in.Resume) > 0 && !userSpokeLast(in.Messages) {
		return stream(ctx, em.Text(), "Thank you for the answer.")
	}
	text := ""
	if said, ok := in.LastUserMessage(); ok {
		text = strings.TrimSpace(textOf(said.Content))
	}
	if mode, ok := modes[strings.ToLower(text)]; ok {
		return mode(ctx, em)
	}
	if text == "" {
		text = "Say something, and I say it too."
	}
	return stream(ctx, em.Text(), text)
}

// tokenPause is the time that a model takes for a token, more or less.
const tokenPause = 20 * time.Millisecond

// stream writes text to a message as a model does, token by token, and closes the message. Text and
// reasoning messages and the arguments of tool calls are all io.WriteClosers; when one could not be
// opened, its Write says why.
func stream(ctx context.Context, w io.WriteCloser, text string) error {
	defer w.Close() // a second Close does nothing
	for token := range strings.SplitAfterSeq(text, " ") {
		if _, err := io.WriteString(w, token); err != nil {
			return err
		}
		if err := pause(ctx, tokenPause); err != nil {
			return err
		}
	}
	return w.Close()
}

// pause waits, but not longer than the run lives: ctx is cancelled when the client leaves.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// userSpokeLast reports whether the thread ends with the user's words. A thread that was interrupted ends
// with the call that waits, unless the user said something new instead.
func userSpokeLast(messages []events.Message) bool {
	return len(messages) > 0 && messages[len(messages)-1].MessageRole() == events.RoleUser
}

// textOf returns the text of a message, which is a string or a list of parts. An agent that cannot use
// a part leaves it aside and does not fail; this one names it: [image].
func textOf(c events.Content) string {
	if !c.IsParts() {
		return c.String()
	}
	var words []string
	for _, part := range c.Parts() {
		words = append(words, partText(part))
	}
	return strings.Join(words, " ")
}

func partText(part events.Part) string {
	switch p := part.(type) {
	case *events.TextPart:
		return p.Text
	case *events.BinaryPart: // what clients older than AG-UI 1.0 send for all media
		if media, err := p.Media(); err == nil {
			part = media
		}
	}
	return "[" + part.PartType() + "]"
}
