package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/answer"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// Run posts in to the agent at url and returns the events of the run, in pointer form, each as soon as it has
// come. The request is made when the sequence is ranged over, and once more each time that is done. A nil
// client is [http.DefaultClient]; its Timeout, if it has one, is for the whole run. The package's
// documentation lists the errors.
//
// What in lacks is filled in, in a copy, as the official client does: the protocol's version, an empty state
// and so on, and ids where they are empty. RUN_STARTED tells them.
//
// Breaking out of the loop closes the connection, which tells the agent that nobody listens any more. The
// sequence ends with the response and not with RUN_FINISHED, after which agents have nothing more to say but
// may keep the connection open: break there when that must not matter. RUN_ERROR ends it at once.
func Run(ctx context.Context, client *http.Client, url string, in *events.RunAgentInput, opts ...Option) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		if in == nil {
			yield(nil, errNilInput)
			return
		}
		c := newConfig(opts)
		res, err := c.post(ctx, client, url, in)
		if err != nil {
			yield(nil, err)
			return
		}
		newSession(ctx, res, in, c).events(yield)
	}
}

// Read is [Run] for a response that there is already, to a request that sent in. A nil in stands for one that
// is not known: then a run that answers the calls of an earlier one is refused. The sequence can be ranged
// over once; that closes the response's body, and not to do so leaves it open. The context is that of the
// response's request, where it has one. [WithHeader] and [WithIDs] do nothing.
func Read(res *http.Response, in *events.RunAgentInput, opts ...Option) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		if res == nil || res.Body == nil {
			yield(nil, errNilResponse)
			return
		}
		ctx := context.Background()
		if res.Request != nil {
			ctx = res.Request.Context()
		}
		newSession(ctx, res, in, newConfig(opts)).events(yield)
	}
}

// session is one reading of one response.
type session struct {
	*config
	ctx     context.Context
	res     *http.Response
	body    *bounded
	reader  *stream.Reader
	machine *verify.Verifier // nil without verification
	chunks  *expander        // nil when chunks stay

	ended bool           // the run has had its terminal event
	out   []events.Event // what the last event has become
}

func newSession(ctx context.Context, res *http.Response, in *events.RunAgentInput, c *config) *session {
	s := &session{config: c, ctx: ctx, res: res, body: &bounded{src: res.Body, left: -1}}
	s.reader = stream.NewReader(s.body, stream.WithFraming(stream.SSE), stream.WithLimit(c.limit))
	if !c.unverified {
		s.machine = verify.New(verify.Strict, verify.Allow(c.allowed...))
	}
	if s.machine != nil && in != nil {
		s.machine.Seed(in.Messages)
	}
	if c.expand {
		s.chunks = new(expander)
	}
	return s
}

// events yields the events of the response, and at last what is wrong with it.
func (s *session) events(yield func(events.Event, error) bool) {
	defer s.res.Body.Close()
	if err := accept(s.res); err != nil {
		yield(nil, err)
		return
	}
	for ev, err := range s.reader.Events() {
		err = s.take(ev, err)
		for _, ev := range s.out {
			if !yield(ev, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, s.withReason(err))
			return
		}
	}
	if err := s.end(); err != nil {
		yield(nil, err)
	}
}

// take leaves in s.out what there is to tell of the event that was read. It returns what ends the sequence
// after that.
func (s *session) take(ev events.Event, err error) error {
	s.out = s.out[:0]
	if s.ctx.Err() != nil && !s.ended {
		return gaveUp(s.ctx, s.ctx.Err())
	}
	if err != nil {
		return s.unread(err)
	}
	failure, failed := ev.(*events.RunError)
	if err := s.observe(ev); err != nil {
		if failed {
			return &RunError{Event: failure, Err: err}
		}
		return err
	}
	switch {
	case failed:
		return &RunError{Event: failure}
	case ev.EventType() == events.TypeRunFinished:
		s.ended = true
	case ev.EventType() == events.TypeRunStarted:
		s.ended = false
	}
	return nil
}

// observe judges ev and expands it.
func (s *session) observe(ev events.Event) error {
	if s.machine != nil {
		if err := s.machine.Observe(ev); err != nil {
			return s.withOpen(err)
		}
	}
	if s.chunks == nil {
		s.out = append(s.out, ev)
		return nil
	}
	out, err := s.chunks.expand(s.out, ev)
	if err != nil {
		err.Index = s.reader.Position().Index
		return s.withOpen(err)
	}
	s.out = out
	return nil
}

// withOpen adds to a violation what is open.
func (s *session) withOpen(err error) error {
	var v *verify.Violation
	if s.machine != nil && errors.As(err, &v) {
		v.Open = s.machine.Open()
	}
	return err
}

// unread returns what ends the sequence when something could not be read, nil when that is passed over.
func (s *session) unread(err error) error {
	var field *events.FieldError
	var syntax *events.SyntaxError
	var limit *stream.LimitError
	switch {
	case errors.As(err, &field):
		return s.malformed(field, err)
	case errors.As(err, &syntax), errors.As(err, &limit):
		return err
	case s.ended: // whatever has become of the connection, the run is whole
		return nil
	}
	if gaveUp := gaveUp(s.ctx, err); gaveUp != nil {
		return gaveUp
	}
	if unread, ok := errors.AsType[*stream.Error](err); ok {
		err = unread.Err
	}
	return s.truncated(err)
}

// malformed is unread for an event with a member that cannot be a value of its type.
func (s *session) malformed(field *events.FieldError, err error) error {
	if s.machine != nil {
		err = s.machine.Refuse(field)
	} else if s.allows(verify.InvalidField) {
		err = nil
	}
	if err != nil {
		err = s.withOpen(err)
	}
	if field.Type == events.TypeRunError {
		return &RunError{Event: salvage(s.reader.Text()), Err: err}
	}
	return err
}

// salvage returns what can be read of a RUN_ERROR that cannot be decoded.
func salvage(text []byte) *events.RunError {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(text, &members) // it has been read as an object
	ev := new(events.RunError)
	ev.Message = words(members["message"])
	if code := words(members["code"]); code != "" {
		ev.Code = events.Some(code)
	}
	return ev
}

// words returns the string that a JSON text holds, or the text if it holds something else.
func words(text json.RawMessage) string {
	var s string
	if json.Unmarshal(text, &s) != nil {
		return string(text)
	}
	return s
}

// end judges the end of the stream.
func (s *session) end() error {
	if s.ended || s.allows(verify.Unterminated) {
		return nil
	}
	if media := answer.MediaType(s.res); s.reader.Position().Index == 0 && media != answer.SSE {
		return s.truncated(fmt.Errorf("the answer's Content-Type is %q: let the agent answer with %s", s.res.Header.Get("Content-Type"), answer.SSE))
	}
	return s.truncated(nil)
}

// truncated returns the error of a stream that ended too early, because of err if that is not nil.
func (s *session) truncated(err error) error {
	t := &TruncatedError{Events: s.reader.Position().Index, Err: err}
	if s.machine != nil {
		t.Open = s.machine.Open()
	}
	return t
}
