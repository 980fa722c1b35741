package emittertest

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/watch"
	"github.com/agui-go/agui/verify"
)

// Option changes what [New] and [Post] do.
type Option func(*config)

type config struct {
	allowViolations bool
	notStarted      bool
	input           *events.RunAgentInput
	emitter         []emitter.Option
	header          map[string]string
	path            string
}

func newConfig(opts []Option) config {
	var c config
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
	}
	return c
}

// AllowViolations lets the agent break rules, and write what cannot be written, without failing the test.
// [Recorder.Violations] and [Response.Violations] have the broken rules. In builds with the tag aguidebug
// a broken rule panics all the same, unless emitter.WithPolicy says otherwise.
func AllowViolations() Option { return func(c *config) { c.allowViolations = true } }

// NotStarted leaves RUN_STARTED to the code under test. [Post] ignores it.
func NotStarted() Option { return func(c *config) { c.notStarted = true } }

// WithInput gives the recorder's run its ids and its history. [Post] ignores it.
func WithInput(input *events.RunAgentInput) Option { return func(c *config) { c.input = input } }

// WithEmitter passes options to the recorder's emitter. [Post] ignores it: the handler has its own.
func WithEmitter(opts ...emitter.Option) Option {
	return func(c *config) { c.emitter = append(c.emitter, opts...) }
}

// WithPath sets the path, and the query, that [Post] sends to. The default is /. [New] ignores it.
func WithPath(path string) Option { return func(c *config) { c.path = path } }

// WithHeader sets a header of the request that [Post] sends. [New] ignores it.
func WithHeader(name, value string) Option {
	return func(c *config) {
		if c.header == nil {
			c.header = make(map[string]string)
		}
		c.header[name] = value
	}
}

// A Recorder is an emitter that writes to memory. Its run, of the thread thread_1 and with the id
// run_1 unless an input says otherwise, has been started. Its methods may be called concurrently.
type Recorder struct {
	*emitter.Emitter
	stream
	sink *sink
	violations
}

// New returns a recorder, which is closed when the test ends. A broken rule fails the test, with the
// file and line of the call, and so does an event that could not be written, unless [AllowViolations] is
// given. To test a whole agent, see [Run].
func New(t testing.TB, opts ...Option) *Recorder {
	t.Helper()
	c := newConfig(opts)
	r := &Recorder{sink: &sink{}}
	r.stream = stream{t: t, bytes: r.sink.copy}
	input := c.input
	if input == nil {
		input = &events.RunAgentInput{ThreadID: "thread_1", RunID: "run_1"}
	}
	all := []emitter.Option{
		emitter.WithInput(input),
		emitter.WithCallers(),
		emitter.WithLogger(nil),
	}
	ctx := watch.With(t.Context(), r.violations.watch(t, c.allowViolations))
	r.Emitter = emitter.New(ctx, r.sink, append(all, c.emitter...)...)
	t.Cleanup(func() { _ = r.Emitter.Close(nil) })
	if c.notStarted {
		return r
	}
	if err := r.RunStart(input.ThreadID, input.RunID); err != nil {
		t.Fatalf("emittertest: the run could not be started: %v", err)
	}
	return r
}

// sink keeps what is written.
type sink struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *sink) Flush() error { return nil }

func (s *sink) copy() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.buf.Bytes())
}

// violations collects broken rules.
type violations struct {
	mu   sync.Mutex
	list []*verify.Violation
}

// watch returns what a test wants of its emitters. What comes when the test is over is not reported: it
// would end the whole run of tests.
func (vs *violations) watch(t testing.TB, allowed bool) watch.Test {
	t.Helper()
	var over atomic.Bool
	t.Cleanup(func() { over.Store(true) })
	report := func(format string, err error) {
		if !allowed && !over.Load() {
			t.Errorf(format, err)
		}
	}
	return watch.Test{
		Violation: func(v *verify.Violation) {
			vs.mu.Lock()
			vs.list = append(vs.list, v)
			vs.mu.Unlock()
			report("emittertest: the agent broke a rule: %v", v)
		},
		Fault: func(err error) { report("emittertest: an event was not written: %v", err) },
		IDs:   ids.Sequence(),
	}
}

// Violations returns the broken rules, in the order in which they were found.
func (vs *violations) Violations() []*verify.Violation {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	return append([]*verify.Violation(nil), vs.list...)
}
