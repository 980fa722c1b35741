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
		options = append(options, emitter.WithInput(&events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: p.request()}))
	}
	if p.once(2) {
		options = append(options, emitter.WithIDs(ids.Sequence()))
	}
	if p.once(25) {
		options = append(options, emitter.FailOnViolation())
	}
	if p.once(4) {
		options = append(options, emitter.WithFlushWindow(time.Millisecond, 500))
	}
	if p.roomy = !p.once(20); !p.roomy {
		options = append(options, pick(p.dice, emitter.WithMaxEventSize(200), emitter.WithMaxIDs(5)))
	}
	p.em = emitter.New(context.Background(), emitter.ToWriter(&p.body), options...)
	defer p.em.Close(nil)

	main := p.actor(p.em, p.dice)
	if p.once(10) {
		main.acts(2)
	}
	p.result(p.em.RunStart("t", "r"))
	main.acts(p.IntN(20))
	for range p.IntN(4) {
		d, n := newDice(p.Uint64(), number), p.IntN(25)
		p.result(p.em.Go(func(ctx context.Context) error {
			view, _ := emitter.FromContext(ctx)
			p.actor(view, d).acts(n)
			return nil
		}))
	}
	main.acts(p.IntN(20))
	p.result(p.em.Wait())
	p.end()
	main.acts(p.IntN(3))
	return p
}

// request returns the messages of the request, some of a subagent: the client's verifier, which sees the
// stream only, does not know, and the emitter must not count on it.
func (p *program) request() []events.Message {
	list := []events.Message{&events.UserMessage{MessageBase: events.MessageBase{ID: p.message()}}}
	for range p.IntN(3) {
		list = append(list, &events.AssistantMessage{
			MessageBase: events.MessageBase{ID: p.message(), SubagentRunID: p.owner()}, ToolCalls: []events.ToolCall{events.NewToolCall(p.call(), "f", "{}")},
		})
	}
	return list
}

// owner returns the owner of a message of the request.
func (p *program) owner() events.Opt[string] {
	if p.once(2) {
		return events.Opt[string]{}
	}
	return events.Some([]string{"s1", "s2"}[p.IntN(2)])
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
