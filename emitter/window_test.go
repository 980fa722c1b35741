package emitter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

const window = 10 * time.Millisecond

// clocked is a sink that notes when it was given which events, and fails when it is told to.
type clocked struct {
	mu       sync.Mutex
	start    time.Time
	log      []string // a line for each write, " |" behind it when it was flushed
	writeErr error
	flushErr error
	panics   any

	flushPanics any
}

var typeMember = regexp.MustCompile(`"type":"([A-Z_]+)"`)

func (s *clocked) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := time.Since(s.start).String()
	for _, m := range typeMember.FindAllSubmatch(p, -1) {
		line += " " + string(m[1])
	}
	s.log = append(s.log, line)
	if s.panics != nil {
		panic(s.panics)
	}
	return len(p), s.writeErr
}

func (s *clocked) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log[len(s.log)-1] += " |"
	if s.flushPanics != nil {
		panic(s.flushPanics)
	}
	return s.flushErr
}

// began forgets what was written until now, and lets the clock begin.
func (s *clocked) began() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start, s.log = time.Now(), nil
}

func (s *clocked) fail(write, flush error, panics, flushPanics any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writeErr, s.flushErr, s.panics, s.flushPanics = write, flush, panics, flushPanics
}

func (s *clocked) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// windowed returns an emitter with a flush window, whose run has the message m1, the call c1 and the
// reasoning r1 open, and its sink.
func windowed(t *testing.T, opts ...emitter.Option) (*emitter.Emitter, *clocked) {
	t.Helper()
	sink := &clocked{}
	all := append([]emitter.Option{emitter.WithFlushWindow(window, 1000), emitter.WithLogger(nil)}, opts...)
	em := emitter.New(t.Context(), sink, all...)
	for _, err := range []error{em.RunStart("t", "r"), em.TextStart("m1"), em.ToolStart("c1", "x"), em.ReasoningMessageStart("r1")} {
		must(t, err)
	}
	sink.began()
	return em, sink
}

func TestFlushWindow(t *testing.T) {
	delta := func(em *emitter.Emitter) error { return em.TextContent("m1", "x") }
	wait := func(d time.Duration) func(*emitter.Emitter) error {
		return func(*emitter.Emitter) error { time.Sleep(d); return nil }
	}
	for name, tt := range map[string]struct {
		opts  []emitter.Option
		steps []func(*emitter.Emitter) error
		want  []string
	}{
		"a delta waits for the window, though the agent is silent": {
			steps: []func(*emitter.Emitter) error{delta, wait(time.Second)},
			want:  []string{"10ms TEXT_MESSAGE_CONTENT |"},
		},
		"deltas of all kinds share a write, and none waits longer": {
			steps: []func(*emitter.Emitter) error{
				delta, wait(3 * time.Millisecond),
				func(em *emitter.Emitter) error { return em.ToolArgs("c1", "{}") }, wait(3 * time.Millisecond),
				func(em *emitter.Emitter) error { return em.ReasoningContent("r1", "x") }, wait(3 * time.Millisecond),
				func(em *emitter.Emitter) error { return em.TextContent("m1", "x", emitter.Metadata(map[string]int{})) },
				wait(time.Second),
			},
			want: []string{"10ms TEXT_MESSAGE_CONTENT TOOL_CALL_ARGS REASONING_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT |"},
		},
		"another event goes at once, with what waits": {
			steps: []func(*emitter.Emitter) error{
				delta, delta, wait(2 * time.Millisecond),
				func(em *emitter.Emitter) error { return em.TextEnd("m1") }, wait(time.Second),
			},
			want: []string{"2ms TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END |"},
		},
		"another event goes at once when nothing waits": {
			steps: []func(*emitter.Emitter) error{
				func(em *emitter.Emitter) error { return em.Custom("acme.x", 1) }, wait(time.Second),
			},
			want: []string{"0s CUSTOM |"},
		},
		"windows follow one another": {
			steps: []func(*emitter.Emitter) error{delta, wait(time.Second), delta, wait(time.Second)},
			want:  []string{"10ms TEXT_MESSAGE_CONTENT |", "1.01s TEXT_MESSAGE_CONTENT |"},
		},
		"a window that was cut short ends the next one early": {
			steps: []func(*emitter.Emitter) error{
				delta, wait(4 * time.Millisecond),
				func(em *emitter.Emitter) error { return em.StepStart("s") },
				delta, wait(time.Second), delta, wait(time.Second),
			},
			want: []string{"4ms TEXT_MESSAGE_CONTENT STEP_STARTED |", "10ms TEXT_MESSAGE_CONTENT |", "1.014s TEXT_MESSAGE_CONTENT |"},
		},
		"enough is sent at once": {
			steps: []func(*emitter.Emitter) error{
				func(em *emitter.Emitter) error { return em.TextContent("m1", strings.Repeat("x", 800)) },
				wait(time.Millisecond),
				func(em *emitter.Emitter) error { return em.TextContent("m1", strings.Repeat("x", 800)) },
				delta, wait(time.Second),
			},
			want: []string{"1ms TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT |", "10ms TEXT_MESSAGE_CONTENT |"},
		},
		"what is large is not copied behind what waits": {
			steps: []func(*emitter.Emitter) error{
				delta, func(em *emitter.Emitter) error { return em.StateSnapshot(strings.Repeat("x", 100<<10)) }, wait(time.Second),
			},
			want: []string{"0s TEXT_MESSAGE_CONTENT |", "0s STATE_SNAPSHOT |"},
		},
		"a chunk waits when it has a delta": {
			steps: []func(*emitter.Emitter) error{
				func(em *emitter.Emitter) error { return em.TextChunk("m2", "x") },
				func(em *emitter.Emitter) error { return em.ToolChunk("c2", "x", "{") },
				func(em *emitter.Emitter) error { return em.ReasoningChunk("r2", "x") },
				wait(time.Second),
				func(em *emitter.Emitter) error { return em.TextChunk("m3", "") },
				func(em *emitter.Emitter) error { return em.ToolChunk("c3", "x", "") },
				func(em *emitter.Emitter) error { return em.ReasoningChunk("r3", "") },
			},
			want: []string{
				"10ms TEXT_MESSAGE_CHUNK TOOL_CALL_CHUNK REASONING_MESSAGE_CHUNK |",
				"1s TEXT_MESSAGE_CHUNK |", "1s TOOL_CALL_CHUNK |", "1s REASONING_MESSAGE_CHUNK |",
			},
		},
		"nothing waits beyond Close": {
			steps: []func(*emitter.Emitter) error{delta, func(em *emitter.Emitter) error { return em.Close(errors.New("x")) }},
			want:  []string{"0s TEXT_MESSAGE_CONTENT |"},
		},
		"nothing waits beyond Abort": {
			steps: []func(*emitter.Emitter) error{delta, func(em *emitter.Emitter) error { return em.Abort("x", "y", nil) }},
			want:  []string{"0s TEXT_MESSAGE_CONTENT RUN_ERROR |"},
		},
		"nothing waits beyond the end of the run": {
			steps: []func(*emitter.Emitter) error{delta, func(em *emitter.Emitter) error { return em.RunError("x", "y") }},
			want:  []string{"0s TEXT_MESSAGE_CONTENT RUN_ERROR |"},
		},
		"a client that is gone gets no more": {
			steps: []func(*emitter.Emitter) error{delta, func(em *emitter.Emitter) error { return em.Close(emitter.ErrDisconnected) }},
		},
		"no window": {
			opts:  []emitter.Option{emitter.WithFlushWindow(0, 0)},
			steps: []func(*emitter.Emitter) error{delta, delta},
			want:  []string{"0s TEXT_MESSAGE_CONTENT |", "0s TEXT_MESSAGE_CONTENT |"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				em, sink := windowed(t, tt.opts...)
				for _, step := range tt.steps {
					must(t, step(em))
				}
				got := sink.lines()
				must(t, em.Close(nil))
				time.Sleep(time.Second)
				if !slices.Equal(got, tt.want) {
					t.Errorf("writes\n got %q\nwant %q", got, tt.want)
				}
			})
		})
	}
}

func TestFlushWindowAndABrokenRule(t *testing.T) {
	if build.NoVerify {
		t.Log("in this build no rule is checked")
		return
	}
	synctest.Test(t, func(t *testing.T) {
		em, sink := windowed(t, emitter.FailOnViolation(), emitter.WithPolicy(emitter.Reject))
		must(t, em.TextContent("m1", "x"))
		if err := em.TextContent("m9", "x"); err == nil {
			t.Error("the rule was not checked")
		}
		time.Sleep(time.Second)
		if got, want := sink.lines(), []string{"0s TEXT_MESSAGE_CONTENT RUN_ERROR |"}; !slices.Equal(got, want) {
			t.Errorf("writes\n got %q\nwant %q", got, want)
		}
	})
}

// TestFlushWindowSizeByDefault fills a window whose size was left to the library.
func TestFlushWindowSizeByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		em, sink := windowed(t, emitter.WithFlushWindow(window, 0))
		delta := strings.Repeat("x", emitter.DefaultFlushSize/4)
		for range 4 {
			must(t, em.TextContent("m1", delta))
		}
		if got, want := len(sink.lines()), 1; got != want {
			t.Errorf("writes\n got %d\nwant %d", got, want)
		}
		must(t, em.Close(nil))
	})
}

// notes is an observer that notes what it hears.
type notes struct {
	mu  sync.Mutex
	log []string
}

func (n *notes) note(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.log = append(n.log, s)
}

func (n *notes) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (n *notes) Event(t events.Type, _ events.Event, _ int)                         { n.note(string(t)) }
func (n *notes) Flush(err error)                                                    { n.note(fmt.Sprint("flush ", err)) }
func (n *notes) Violation(context.Context, *verify.Violation)                       {}
func (n *notes) End(_ context.Context, _ events.Event, cause error) {
	n.note(fmt.Sprint("end ", cause))
}

func TestFlushWindowThatFails(t *testing.T) {
	boom := errors.New("boom")
	for name, tt := range map[string]struct {
		write, flush error
		panics       any
		flushPanics  any
		text         string
	}{
		"write":            {write: boom, text: "boom"},
		"flush":            {flush: boom, text: "boom"},
		"panic":            {panics: "oh", text: "emitter: the sink panicked: oh"},
		"panic in a flush": {flushPanics: "oh", text: "emitter: the sink panicked: oh"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen := &notes{}
				em, sink := windowed(t, emitter.WithObserver(func() *notes { return seen }))
				seen.log = nil
				sink.fail(tt.write, tt.flush, tt.panics, tt.flushPanics)
				must(t, em.TextContent("m1", "x"))
				time.Sleep(window)
				synctest.Wait()
				text := emitter.ErrDisconnected.Error() + ": " + tt.text
				if cause := context.Cause(em.Context()); !errors.Is(cause, emitter.ErrDisconnected) || cause.Error() != text {
					t.Errorf("cause of the context\n got %v\nwant %s", cause, text)
				}
				for _, err := range []error{em.TextContent("m1", "x"), em.TextEnd("m1"), em.Err()} {
					if !errors.Is(err, emitter.ErrDisconnected) {
						t.Errorf("later call\n got %v\nwant ErrDisconnected", err)
					}
				}
				must(t, em.Close(nil))
				time.Sleep(time.Second)
				if got := len(sink.lines()); got != 1 {
					t.Errorf("writes\n got %d\nwant none after the one that failed", got)
				}
				want := []string{"TEXT_MESSAGE_CONTENT", "flush " + tt.text, "end " + text}
				if !slices.Equal(seen.log, want) {
					t.Errorf("observed\n got %q\nwant %q", seen.log, want)
				}
			})
		})
	}
}

func TestCloseThatCannotSendWhatWaits(t *testing.T) {
	boom := errors.New("boom")
	synctest.Test(t, func(t *testing.T) {
		em, sink := windowed(t)
		sink.fail(nil, boom, nil, nil)
		must(t, em.TextContent("m1", "x"))
		if err := em.Close(nil); !errors.Is(err, boom) || !errors.Is(err, emitter.ErrDisconnected) {
			t.Errorf("Close\n got %v\nwant ErrDisconnected, for boom", err)
		}
		if cause := context.Cause(em.Context()); !errors.Is(cause, boom) {
			t.Errorf("cause of the context\n got %v\nwant boom", cause)
		}
		must(t, em.Close(nil))
	})
}

// TestWindowOverAtClose lets windows end while the emitter is closed.
func TestWindowOverAtClose(t *testing.T) {
	for range 300 {
		var closed atomic.Bool
		sink := sinkFunc(func(p []byte) (int, error) {
			if closed.Load() {
				t.Error("written after Close")
			}
			return len(p), nil
		})
		const short = 50 * time.Microsecond
		em := emitter.New(t.Context(), sink, emitter.WithFlushWindow(short, 0), emitter.WithLogger(nil))
		must(t, em.RunStart("t", "r"))
		msg := em.Text()
		msg.WriteString("x")
		time.Sleep(rand.N(2 * short))
		msg.WriteString("y")
		must(t, em.Close(nil))
		closed.Store(true)
	}
}

type sinkFunc func(p []byte) (int, error)

func (f sinkFunc) Write(p []byte) (int, error) { return f(p) }
func (f sinkFunc) Flush() error                { return nil }

// TestFlushWindowKeepsTheBytes writes random runs twice, and expects that a window changes when bytes
// are written and not which.
func TestFlushWindowKeepsTheBytes(t *testing.T) {
	for seed := range uint64(30) {
		plain := randomRun(t, seed)
		for _, opt := range []emitter.Option{
			emitter.WithFlushWindow(time.Hour, 0), emitter.WithFlushWindow(time.Hour, 500), emitter.WithFlushWindow(time.Microsecond, 0),
		} {
			if got := randomRun(t, seed, opt); !bytes.Equal(got, plain) {
				t.Fatalf("seed %d\n got %s\nwant %s", seed, got, plain)
			}
		}
	}
}

// randomRun returns what a random run writes, the same for the same seed.
func randomRun(t *testing.T, seed uint64, opts ...emitter.Option) []byte {
	t.Helper()
	var buf bytes.Buffer
	dice := rand.New(rand.NewPCG(seed, 0))
	em := emitter.New(t.Context(), emitter.ToWriter(&buf), append(opts, emitter.WithIDs(ids.Sequence()), emitter.WithLogger(nil))...)
	must(t, em.RunStart("t", "r"))
	msgs := []*emitter.TextMessage{em.Text()}
	call := em.ToolCall("x")
	for range 200 {
		msg := msgs[dice.IntN(len(msgs))]
		switch dice.IntN(8) {
		case 0:
			msgs = append(msgs, em.Text())
		case 1:
			must(t, em.StateSnapshot(strings.Repeat("s", dice.IntN(300))))
		case 2:
			must(t, em.TextContent(msg.ID(), "by id", emitter.Metadata(map[string]int{"n": 1})))
		case 3:
			io.WriteString(call, " ")
		case 4:
			must(t, em.TextContent(msg.ID(), "by id"))
		default:
			io.WriteString(msg, strings.Repeat("d", dice.IntN(60)))
		}
	}
	io.WriteString(call, "{}")
	must(t, em.CloseOpen())
	must(t, em.Abort("the end", "", nil))
	return buf.Bytes()
}

func TestFlushWindowFromManyGoroutines(t *testing.T) {
	rec := emittertest.New(t, emittertest.WithEmitter(emitter.WithFlushWindow(100*time.Microsecond, 2000)))
	var wg sync.WaitGroup
	texts := make([]*emitter.TextMessage, 8)
	for i := range texts {
		wg.Go(func() {
			msg := rec.Text()
			texts[i] = msg
			for range 200 {
				io.WriteString(msg, "é")
			}
			must(t, msg.Close())
		})
	}
	wg.Wait()
	must(t, rec.RunFinish(nil))
	rec.AssertValid()
	for _, msg := range texts {
		if got, want := textOf(t, rec.Bytes(), msg.ID()), strings.Repeat("é", 200); got != want {
			t.Errorf("text\n got %q\nwant %q", got, want)
		}
	}
}

// TestWhatAnIdleEmitterHolds measures what emitters keep of a large delta: less than a kilobyte.
func TestWhatAnIdleEmitterHolds(t *testing.T) {
	const n = 100
	short, long := emitter.WithFlushWindow(time.Millisecond, 0), emitter.WithFlushWindow(time.Hour, 0)
	for name, tt := range map[string]struct {
		opt   emitter.Option
		delta int
		after func(em *emitter.Emitter)
	}{
		"no window, a huge delta":  {delta: 256 << 10, after: func(*emitter.Emitter) {}},
		"a window that has passed": {opt: short, delta: 20 << 10, after: func(*emitter.Emitter) { time.Sleep(2 * time.Millisecond) }},
		"a window, a huge delta":   {opt: long, delta: 256 << 10, after: func(*emitter.Emitter) {}},
		"a window, closed":         {opt: long, delta: 20 << 10, after: func(em *emitter.Emitter) { em.Close(nil) }},
		"a window, disconnected":   {opt: long, delta: 20 << 10, after: func(em *emitter.Emitter) { em.Close(emitter.ErrDisconnected) }},
	} {
		var emitters []*emitter.Emitter
		for range n {
			em := emitter.New(t.Context(), null{}, tt.opt, emitter.WithLogger(nil))
			must(t, em.RunStart("t", "r"))
			must(t, em.TextStart("m1"))
			emitters = append(emitters, em)
		}
		before := heap()
		delta := strings.Repeat("x", tt.delta)
		for _, em := range emitters {
			must(t, em.TextContent("m1", delta))
			tt.after(em)
		}
		got := int(heap()-before) / n
		if got > 1024 {
			t.Errorf("%s: an emitter keeps %d bytes, want less than 1024", name, got)
		}
		for _, em := range emitters {
			em.Close(nil)
		}
	}
}

// heap returns how much is allocated, what is pooled left out.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestClosedEmitterIsCollected has a timer far from its end when the emitter is closed.
func TestClosedEmitterIsCollected(t *testing.T) {
	collected := make(chan bool)
	func() {
		sink := &clocked{}
		runtime.AddCleanup(sink, func(ch chan bool) { close(ch) }, collected)
		em := emitter.New(context.Background(), sink, emitter.WithFlushWindow(time.Hour, 0), emitter.WithLogger(nil))
		must(t, em.RunStart("t", "r"))
		must(t, em.TextStart("m1"))
		must(t, em.TextContent("m1", "x"))
		must(t, em.Close(nil))
	}()
	for range 50 {
		runtime.GC()
		select {
		case <-collected:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the timer keeps a closed emitter")
}
