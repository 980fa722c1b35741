//go:build conformance

package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// program is one random program that writes a run.
type program struct {
	*dice
	body  bytes.Buffer
	em    *emitter.Emitter
	roomy bool // every event fits

	mu       sync.Mutex
	passed   int
	refused  map[verify.Rule]int
	failures []error // what an emitter must not do
}

// runProgram runs the program that seed and number stand for. Those that use goroutines differ from time to
// time in the order of what they write.
func runProgram(seed, number uint64) *program {
	p := &program{dice: newDice(seed, number), refused: map[verify.Rule]int{}}
	options := []emitter.Option{emitter.WithoutTelemetry(), emitter.WithLogger(nil)}
	if p.once(3) {
		options = append(options, emitter.WithInput(&events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: nil}))
	}
	if p.once(2) {
		options = append(options, emitter.WithIDs(ids.Sequence()))
	}
	if p.once(25) {
		options = append(options, emitter.FailOnViolation())
	}
	if p.roomy = !p.once(25); !p.roomy {
		options = append(options, emitter.WithMaxEventSize(200))
	}
	p.em = emitter.New(context.Background(), emitter.ToWriter(&p.body), options...)
	defer p.em.Close(nil)

	main := p.actor(p.em, p.dice)
	if p.once(10) {
		main.acts(2)
	}
	p.result(p.em.RunStart("t", "r"))
	main.acts(p.IntN(20))
	var wait sync.WaitGroup
	for range p.IntN(4) {
		other := p.actor(p.em, newDice(p.Uint64(), number))
		n := p.IntN(25)
		wait.Go(func() { other.acts(n) })
	}
	main.acts(p.IntN(20))
	wait.Wait()
	p.end()
	main.acts(p.IntN(3))
	return p
}

// end ends the run in one of the ways there are, if the program has not done so.
func (p *program) end() {
	if p.once(12) {
		p.result(p.em.Abort("stopped", "server_shutdown", context.Canceled))
		return
	}
	if p.once(6) {
		p.result(p.em.RunError("failed", "agent_error"))
		return
	}
	if p.once(15) {
		return
	}
	going := p.em.Started() && !p.em.Ended() && p.roomy
	closed := p.em.CloseOpen()
	p.result(closed)
	var ended error
	switch p.IntN(4) {
	case 0:
		ended = p.em.RunInterrupt(events.Interrupt{ID: "i", Reason: "confirmation"})
	case 1:
		ended = p.em.RunCancel()
	case 2:
		ended = p.em.RunFinish(map[string]int{"n": 1}, emitter.Usage(events.TokenUsage{InputTokens: events.Some[int64](5)}))
	default:
		ended = p.em.RunFinish(nil)
	}
	p.result(ended)
	if going && (closed != nil || ended != nil) {
		p.fail(fmt.Errorf("the run cannot be finished: CloseOpen %w, RunFinish %w", closed, ended))
	}
}

// result notes what a call returned.
func (p *program) result(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.passed++
		return
	}
	if v, ok := errors.AsType[*verify.Violation](err); ok {
		p.refused[v.Rule]++
		return
	}
	var encode *emitter.EncodeError
	var limit *emitter.LimitError
	switch {
	case errors.Is(err, emitter.ErrDisconnected):
		p.failures = append(p.failures, err)
	case errors.As(err, &limit) && p.roomy:
		p.failures = append(p.failures, err)
	case errors.As(err, &encode), errors.As(err, &limit), errors.Is(err, emitter.ErrClosed), errors.Is(err, errStop):
	default:
		p.failures = append(p.failures, fmt.Errorf("an error of no known kind: %w", err))
	}
}

func (p *program) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = append(p.failures, err)
}

// errStop is what a step's function returns at times.
var errStop = errors.New("stop")

// TestPrograms: whatever a program does with an emitter, rightly or wrongly and from several goroutines,
// the official client accepts what is on the wire.
func TestPrograms(t *testing.T) {
	client := startDriver(t)
	totals := struct{ passed, refused, frames int }{}
	const batch = 200
	for first := 0; first < *programs; first += batch {
		var list []*program
		var bodies []string
		for number := first; number < min(first+batch, *programs); number++ {
			p := runProgram(*seed, uint64(number))
			list, bodies = append(list, p), append(bodies, p.body.String())
		}
		verdicts, warnings, err := client.judge(map[string]any{"streams": bodies, "reducer": true})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range warnings {
			// What the reducer warns of is legal; what it says as [ag-ui] is that a value was changed.
			if strings.HasPrefix(w, "[ag-ui]") {
				t.Errorf("programs %d to %d: the client warned: %s", first, first+batch-1, w)
			}
		}
		for i, p := range list {
			if v := verdicts[i]; !v.OK {
				t.Errorf("program %d (seed %d): the client: %v\n%s", first+i, *seed, v, bodies[i])
			}
			for _, err := range p.failures {
				t.Errorf("program %d (seed %d): %v\n%s", first+i, *seed, err, bodies[i])
			}
			totals.passed += p.passed
			totals.frames += strings.Count(bodies[i], "\n\n")
			for _, n := range p.refused {
				totals.refused += n
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d programs (seed %d): %d calls passed, %d were refused, %d events on the wire", *programs, *seed, totals.passed, totals.refused, totals.frames)
	if totals.frames < 10**programs || totals.refused < 5**programs {
		t.Errorf("%d programs wrote %d events and were refused %d calls: too few to say anything", *programs, totals.frames, totals.refused)
	}
}

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
