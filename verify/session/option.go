package session

import (
	"net/http"
	"slices"

	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// Option sets up a session. A nil Option does nothing.
type Option interface {
	apply(*config)
}

type optionFunc func(*config)

func (f optionFunc) apply(c *config) { f(c) }

// config is what the options say.
type config struct {
	unverified bool
	allowed    []verify.Rule
	expand     bool
	limit      int
	header     http.Header
	ids        ids.Source
}

func newConfig(opts []Option) *config {
	c := &config{header: make(http.Header)}
	for _, opt := range opts {
		if opt != nil {
			opt.apply(c)
		}
	}
	return c
}

func (c *config) allows(r verify.Rule) bool { return slices.Contains(c.allowed, r) }

// WithVerify returns an option that says whether the events are checked against the ordering rules. The
// default is true.
func WithVerify(on bool) Option {
	return optionFunc(func(c *config) { c.unverified = !on })
}

// WithAllow returns an option that puts up with events that break one of the rules: see [verify.Allow]. It is
// additive. With [verify.InvalidField] an event whose members cannot be values of their types is left out of
// the sequence, and with [verify.Unterminated] a stream may end before the run does, if it ends in good
// order; these two count without verification too.
func WithAllow(rules ...verify.Rule) Option {
	return optionFunc(func(c *config) { c.allowed = append(c.allowed, rules...) })
}

// WithExpandedChunks returns an option that replaces chunks by the START, CONTENT and END events that they
// stand for, as the official client does (AG-UI 1.0, chunk events). The rules are checked before that. A
// chunk that cannot be expanded is a violation of [verify.ChunkSequence], whether that is allowed or not.
//
// An END that the expansion adds comes right before the event that brings it about, and never when the stream
// ends without one. The chunk's metadata is on all events that are made of it, its raw event on the content,
// its timestamp on none.
func WithExpandedChunks() Option {
	return optionFunc(func(c *config) { c.expand = true })
}

// WithLimit returns an option that sets the length of an event, in bytes of JSON, beyond which reading ends
// with a *[stream.LimitError]. The default is [stream.DefaultLimit]; a limit below 1 stands for that.
func WithLimit(bytes int) Option {
	return optionFunc(func(c *config) { c.limit = bytes })
}

// WithHeader returns an option that adds a header to the request of [Run]: an Authorization, for one. It may
// be given several times. Content-Type and Accept cannot be changed: the protocol says what they are.
func WithHeader(name, value string) Option {
	return optionFunc(func(c *config) { c.header.Add(name, value) })
}

// WithIDs returns an option that sets where [Run] takes the ids from that the input has not. The default, and
// nil, is [ids.Random].
func WithIDs(source ids.Source) Option {
	return optionFunc(func(c *config) { c.ids = source })
}
