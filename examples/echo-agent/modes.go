package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
)

// modes are the messages that are not echoed: each shows a part of the protocol.
var modes = map[string]func(context.Context, *emitter.Emitter) error{
	"think":    think,
	"tool":     tools,
	"step":     steps,
	"state":    state,
	"subagent": subagents,
	"ask":      ask,
	"break":    breakRule,
	"panic":    panics,
	"fail":     fail,
	"slow":     slow,
}

// think shows its reasoning before it answers.
func think(ctx context.Context, em *emitter.Emitter) error {
	if err := stream(ctx, em.Reasoning(), "What comes back from a wall? An echo."); err != nil {
		return err
	}
	return stream(ctx, em.Text(), "I have thought about it.")
}

// tools calls tools that run here, in the back end: first one, then two at the same time.
func tools(ctx context.Context, em *emitter.Emitter) error {
	intro := em.Text()
	if err := stream(ctx, intro, "I look at Paris, then at Oslo and Rome together."); err != nil {
		return err
	}
	if err := lookUp(ctx, em, intro.ID(), "Paris"); err != nil {
		return err
	}
	err := together(
		func() error { return lookUp(ctx, em, intro.ID(), "Oslo") },
		func() error { return lookUp(ctx, em, intro.ID(), "Rome") },
	)
	if err != nil {
		return err
	}
	return stream(ctx, em.Text(), "That was the weather.")
}

// lookUp calls one tool. Calls may be open at the same time, each under its own id: an Emitter and all
// that it hands out are safe for concurrent use.
func lookUp(ctx context.Context, em *emitter.Emitter, parent, city string) error {
	// Without a parent, clients make an assistant message for each call.
	call := em.ToolCall("weather", emitter.Parent(parent))
	if err := call.WriteJSON(map[string]string{"city": city}); err != nil {
		return err
	}
	// The end of a call says that its arguments are complete, not that the tool has run.
	if err := call.Close(); err != nil {
		return err
	}
	celsius, err := weather(ctx, city)
	if err != nil {
		return err
	}
	// A result is a message of its own with a new id, neither the call's nor the parent's.
	return call.ResultJSON(map[string]any{"city": city, "celsius": celsius})
}

// weather stands for a slow service.
func weather(ctx context.Context, city string) (celsius int, err error) {
	return 3 * len(city), pause(ctx, 5*tokenPause)
}

// steps names what it is doing. A step closes even when its function fails.
func steps(ctx context.Context, em *emitter.Emitter) error {
	err := em.Step("plan", func() error {
		return stream(ctx, em.Text(), "First I plan.")
	})
	if err != nil {
		return err
	}
	return em.Step("write", func() error {
		return stream(ctx, em.Text(), "Then I write.")
	})
}

// state shares an object with the front end: a snapshot first, then what changes. A delta that does not
// fit the client's state is dropped there with a warning, and the agent never hears of it.
func state(ctx context.Context, em *emitter.Emitter) error {
	if err := em.StateSnapshot(map[string]any{"progress": 0, "log": []string{}}); err != nil {
		return err
	}
	for i := 1; i <= 3; i++ {
		if err := pause(ctx, 5*tokenPause); err != nil {
			return err
		}
		err := em.StateDelta(events.Patch{
			events.Replace("/progress", i),
			events.Add("/log/-", fmt.Sprintf("part %d", i)),
		})
		if err != nil {
			return err
		}
	}
	return stream(ctx, em.Text(), "The state is yours now.")
}

// subagents lets two others answer at the same time.
func subagents(ctx context.Context, em *emitter.Emitter) error {
	err := together(
		func() error { return delegate(ctx, em, "historian", "Echo was a nymph.") },
		func() error { return delegate(ctx, em, "physicist", "An echo is a wave.") },
	)
	if err != nil {
		return err
	}
	return stream(ctx, em.Text(), "Both have answered.")
}

// delegate runs one subagent: what is written through sub carries its id. It must be ended before the
// run is; one that has to ask something ends with sub.Suspend(interruptID), and the resumed run starts
// it again under the same id.
func delegate(ctx context.Context, em *emitter.Emitter, name, answer string) error {
	sub := em.Subagent("", name) // under a new id
	defer sub.Close()            // as failed, on the way out that does not reach Finish
	if err := stream(ctx, sub.Text(), answer); err != nil {
		return err
	}
	return sub.Finish(map[string]int{"words": 4})
}

// breakRule makes a mistake: content for a message that nobody opened. The call returns a
// *verify.Violation and writes nothing; the violation is also logged and put on the request's span, so
// that it is noticed even where the error is not. The run goes on. With -tags aguidebug the call panics
// instead; with -tags aguinoverify the mistake is written, and the client fails the run.
func breakRule(ctx context.Context, em *emitter.Emitter) error {
	if err := em.TextContent("msg_never_opened", "Can you hear me?"); err != nil {
		return stream(ctx, em.Text(), "I made a mistake, and you did not see it.")
	}
	return stream(ctx, em.Text(), "I made a mistake, and you saw it.")
}

// panics falls over in the middle of a message. The client gets a RUN_ERROR all the same. That holds for
// the goroutine that run is called on: a panic on one that the agent started ends the process.
func panics(_ context.Context, em *emitter.Emitter) error {
	if _, err := em.Text().WriteString("I do not feel so "); err != nil {
		return err
	}
	panic("the echo-agent was told to panic")
}

// fail returns an error. Its text goes to the log, not to the client.
func fail(ctx context.Context, em *emitter.Emitter) error {
	if err := stream(ctx, em.Text(), "I will try."); err != nil {
		return err
	}
	return errors.New("the echo-agent was told to fail")
}

// slow writes ten tokens a second for a minute. When the client leaves, ctx is cancelled.
func slow(ctx context.Context, em *emitter.Emitter) error {
	msg := em.Text()
	defer msg.Close()
	for i := range 600 {
		if _, err := fmt.Fprintf(msg, "%d ", i+1); err != nil {
			return err
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// together runs tasks at the same time and returns their errors.
func together(tasks ...func() error) error {
	errs := make([]error, len(tasks))
	var wg sync.WaitGroup
	for i, task := range tasks {
		wg.Go(func() { errs[i] = task() })
	}
	wg.Wait()
	return errors.Join(errs...)
}
