package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/verify"
)

// trial is one run, with the fault that it has to live with. All of it follows from a seed and a number.
type trial struct {
	number  int
	fault   fault
	shape   int
	http2   bool
	agent   *agent
	opts    []middleware.Option
	after   time.Duration // when the fault strikes
	bytes   int           // or after how many bytes at the client
	good    int           // or calls at the server's writer
	early   bool          // the client's fault may strike before there is a run
	detach  bool
	drainer *middleware.Drainer

	server  *httptest.Server
	serving sync.WaitGroup // what the fault does at the server's side

	mu            sync.Mutex
	conn          *conn
	timers        []*time.Timer
	cancelRequest context.CancelCauseFunc
	emitter       *emitter.Emitter // nil: the agent was not called
	over          chan struct{}    // closed when the handler has returned
	struck        time.Time
	heard         time.Time
	failures      []string
}

func newTrial(seed uint64, number int) *trial {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	t := &trial{
		number:  number,
		fault:   faults[number%len(faults)],
		shape:   r.IntN(len(shapes)),
		http2:   r.IntN(2) == 0,
		after:   time.Duration(1+r.IntN(25)) * time.Millisecond,
		bytes:   1 + r.IntN(6000),
		good:    r.IntN(12),
		drainer: middleware.NewDrainer(time.Duration(r.IntN(5)) * time.Millisecond),
		over:    make(chan struct{}),
	}
	t.opts = []middleware.Option{middleware.WithLogger(nil), middleware.WithDrainer(t.drainer)}
	if t.fault.opts != nil {
		t.opts = append(t.opts, t.fault.opts(t)...)
	}
	switch r.IntN(3) {
	case 0:
		t.opts = append(t.opts, middleware.WithKeepAlive(2*time.Millisecond))
	case 1:
		t.opts = append(t.opts, middleware.WithKeepAlive(2*time.Millisecond), middleware.WithHeartbeat("faults:alive"))
	}
	if r.IntN(3) == 0 {
		t.opts = append(t.opts, middleware.WithEmitter(emitter.WithFlushWindow(2*time.Millisecond, 0)))
	}
	if t.detach = !t.fault.stays && r.IntN(8) == 0; t.detach {
		t.opts = append(t.opts, middleware.WithDetach(time.Duration(1+r.IntN(40))*time.Millisecond))
	}
	t.early = !t.fault.inRun && r.IntN(6) == 0
	t.http2 = t.http2 && (!t.fault.inRun || r.IntN(3) == 0) // to part with a stalled TLS connection takes seconds
	t.agent = &agent{
		rand:     r,
		steps:    r.IntN(6),
		careless: r.IntN(3) == 0,
		end:      t.ending(r),
		strays:   r.IntN(4) / 3,
	}
	return t
}

// ending chooses how the agent ends: more often than not it waits for the fault, if there is one to be told of.
func (t *trial) ending(r *rand.Rand) ending {
	if len(t.fault.cause) > 0 && r.IntN(5) < 3 {
		if t.fault.noisy || r.IntN(4) == 0 {
			return flood
		}
		return untilTold
	}
	all := endings
	if !build.NoVerify {
		all = append(slices.Clip(all), openAtReturn)
	}
	return all[r.IntN(len(all))]
}

func (t *trial) String() string {
	protocol := "HTTP/1.1"
	if t.http2 {
		protocol = "HTTP/2"
	}
	return fmt.Sprintf("trial %d: %s, %s, fault %q after %v, %d bytes or %d calls, agent of %d steps that ends with %q, careless %t, detach %t",
		t.number, shapes[t.shape].name, protocol, t.fault.name, t.after, t.bytes, t.good, t.agent.steps, t.agent.end.name, t.agent.careless, t.detach)
}

// run starts a server, asks it, waits until nothing goes on, and judges.
func (t *trial) run() outcome {
	t.server = newServer(t, shapes[t.shape].serve(func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
		t.began(em)
		defer context.AfterFunc(ctx, t.told)()
		err := t.agent.run(ctx, in, em)
		if errors.Is(err, errDeaf) {
			t.fail("%v", err)
		}
		return err
	}, t.opts...))
	answer := make(chan received, 1)
	go func() { answer <- ask(t, t.server) }()
	got, ok := t.await(answer)
	if !ok { // a client that does not read does not know that it is over
		t.hangUp()
		got = <-answer
	}
	t.server.Close() // waits for the run, or, over HTTP/2, for the connection alone
	for begin := time.Now(); t.drainer.Active() > 0 && time.Since(begin) < patience; {
		time.Sleep(time.Millisecond)
	}
	if left := t.drainer.Active(); left > 0 {
		t.fail("%d runs are left", left)
	}
	t.calm()
	t.serving.Wait()
	t.agent.straying.Wait()
	return t.judge(got)
}

// await waits for what the client got, or, where it may not get to the end of that, for the run to be
// over.
func (t *trial) await(answer <-chan received) (got received, ok bool) {
	if !t.fault.inRun {
		return <-answer, true
	}
	select {
	case got := <-answer:
		return got, true
	case <-t.over:
	case <-time.After(2 * patience):
		t.fail("the run holds a client that does not read")
	}
	return received{}, false
}

// dialled makes the client's connection one that misbehaves.
func (t *trial) dialled(c net.Conn, cancel context.CancelFunc) net.Conn {
	own := &conn{Conn: c, released: make(chan struct{})}
	do := func() {
		switch {
		case t.fault.cancels:
			t.strike()
			cancel()
		case t.fault.conn != nil:
			t.strike()
			t.fault.conn(own)
		}
	}
	var once sync.Once
	own.strike = func() { once.Do(do) }
	t.mu.Lock()
	t.conn = own
	t.mu.Unlock()
	if t.early {
		t.armClient()
	}
	return own
}

// armClient makes the client's fault strike, by the clock or by the bytes, where it is the client's.
func (t *trial) armClient() {
	if t.fault.conn == nil && !t.fault.cancels {
		return
	}
	t.mu.Lock()
	own := t.conn
	t.mu.Unlock()
	if !t.fault.inRun { // a stall needs what comes after it
		own.left.Store(int64(t.bytes))
	}
	t.later(own.strike)
}

// hangUp closes the client's connection, once the server has let a stalled one go.
func (t *trial) hangUp() {
	t.mu.Lock()
	own := t.conn
	t.mu.Unlock()
	if own != nil {
		own.hangUp.Do(own.release)
	}
}

// requested is called when the server has the request.
func (t *trial) requested(cancel context.CancelCauseFunc) {
	t.mu.Lock()
	t.cancelRequest = cancel
	t.mu.Unlock()
	if !t.early {
		t.armClient()
	}
	switch {
	case t.fault.server != nil:
		t.later(func() { t.strike(); t.fault.server(t) })
	case strings.HasPrefix(t.fault.name, "deadline"):
		t.later(t.strike)
	}
}

// shutdown shuts the server down.
func (t *trial) shutdown() {
	t.serving.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := t.server.Config.Shutdown(ctx); err != nil && !errors.Is(err, net.ErrClosed) { // over already
			t.fail("Shutdown: %v", err)
		}
	})
}

// later calls do when the time of the fault has come.
func (t *trial) later(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.serving.Add(1)
	t.timers = append(t.timers, time.AfterFunc(t.after, func() {
		defer t.serving.Done()
		do()
	}))
}

// calm calls off a fault that has not struck.
func (t *trial) calm() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, timer := range t.timers {
		if timer.Stop() {
			t.serving.Done()
		}
	}
}

func (t *trial) strike() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.struck.IsZero() {
		t.struck = time.Now()
	}
}

func (t *trial) hasStruck() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.struck.IsZero()
}

func (t *trial) began(em *emitter.Emitter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.emitter = em
}

func (t *trial) told() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heard = time.Now()
}

func (t *trial) fail(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

// outcome is what came of a trial.
type outcome struct {
	failures []string
	ran      bool          // the agent was called
	hit      bool          // the fault ended the run
	latency  time.Duration // from the fault until the agent was told
	events   int           // that the client got
}

// judge says what is wrong with the run, as the client and the agent have seen it.
func (t *trial) judge(got received) outcome {
	stream := read(t, got.body)
	o := outcome{ran: t.emitter != nil, events: stream.events}
	switch {
	case !o.ran && t.fault.stays && got.status != 503:
		t.fail("no run: status %d, %v", got.status, got.err)
	case o.ran:
		o.hit = t.judgeCause(context.Cause(t.emitter.Context()))
		t.judgeStream(got, stream, o.hit)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if o.hit && !t.detach && !t.struck.IsZero() && !t.heard.IsZero() {
		o.latency = t.heard.Sub(t.struck)
	}
	o.failures = t.failures
	return o
}

// judgeCause judges the cause of the run's context, and says whether it is the fault's.
func (t *trial) judgeCause(cause error) (hit bool) {
	hit = len(t.fault.cause) > 0
	for _, want := range t.fault.cause {
		hit = hit && errors.Is(cause, want)
	}
	own := t.agent.end.cause != nil && t.agent.end.cause(cause)
	if t.detach && errors.Is(cause, emitter.ErrDisconnected) {
		hit = true
	}
	if !hit && !own {
		t.fail("cause of the run's context: got %v, want the fault's (%v) or one of an agent that ends with %q", cause, t.fault.cause, t.agent.end.name)
	}
	return hit
}

// judgeStream judges what the client got. One that has left has the beginning of a stream, whose events
// read has judged.
func (t *trial) judgeStream(got received, s stream, hit bool) {
	if !t.fault.stays {
		if s.terminals > 1 {
			t.fail("%d terminal events", s.terminals)
		}
		return
	}
	if got.status != 200 || (got.err != nil) != (t.agent.end.aborts && !hit) && !t.agent.end.aborts {
		t.fail("the answer broke off: status %d, %v", got.status, got.err)
	}
	if s.rest != "" {
		t.fail("the stream ends in the middle of a frame: %q", s.rest)
	}
	if s.terminals != 1 {
		t.fail("terminal events: got %d, want 1", s.terminals)
	}
	if err := s.end; err != nil {
		t.fail("the end of the stream: %v", err)
	}
	own := t.agent.end.terminal
	if build.Debug && t.agent.end.name == openAtReturn.name {
		own = "RUN_ERROR " + emitter.CodeProtocolViolation
	}
	// The two may come at the same moment, and then the last event need not be the cause's.
	if struck := hit || t.hasStruck(); s.last != own && !(struck && s.last == "RUN_ERROR "+t.fault.code) {
		t.fail("last event: got %s, want %q or, where it has struck, the fault's %q (struck: %t, hit: %t)", s.last, own, t.fault.code, struck, hit)
	}
}

// stream is what the machine says of a client's bytes.
type stream struct {
	events    int
	terminals int
	last      string // type and code of the last event
	rest      string // bytes behind the last whole frame
	end       error  // what the machine says of the end
}

// read judges the bytes of a body: frames, comments, and the order of the events.
func read(t *trial, body []byte) stream {
	var s stream
	verifier := verify.New(verify.Strict)
	frames := strings.Split(string(body), "\n\n")
	s.rest = frames[len(frames)-1]
	for _, frame := range frames[:len(frames)-1] {
		if frame == ": keep-alive" {
			continue
		}
		data, ok := strings.CutPrefix(frame, "data: ")
		if !ok || strings.Contains(data, "\n") {
			t.fail("not a frame: %q", frame)
			continue
		}
		ev, err := events.Decode([]byte(data))
		if err != nil {
			t.fail("not an event: %v: %q", err, data)
			continue
		}
		if err := verifier.Observe(ev); err != nil {
			t.fail("event %d: %v", s.events, err)
		}
		s.events++
		s.last = string(ev.EventType())
		switch e := ev.(type) {
		case *events.RunFinished:
			s.terminals++
		case *events.RunError:
			s.terminals++
			s.last += " " + e.Code.Or("")
		}
	}
	s.end = verifier.End()
	return s
}
