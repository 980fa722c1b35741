package emitter

import (
	"fmt"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// The options of single calls. Each call takes its own interface, and each option is good for the
// calls whose interface it has: an option on the wrong call does not compile.
type (
	// EventOption is an option of every call: [Metadata], [RawEvent] and [Timestamp].
	EventOption interface{ event(*members) }
	// TextOption is an option of the calls that open a text message: [Role], [Name], or any EventOption.
	TextOption interface{ text(*members) }
	// ToolOption is an option of the calls that open a tool call: [Parent], or any EventOption.
	ToolOption interface{ tool(*members) }
	// ResultOption is an option of the calls that answer a tool call: [MessageID], or any EventOption.
	ResultOption interface{ result(*members) }
	// ActivityOption is an option of [Emitter.ActivitySnapshot]: [Replace], or any EventOption.
	ActivityOption interface{ activity(*members) }
	// RawOption is an option of [Emitter.Raw]: [Source], or any EventOption.
	RawOption interface{ raw(*members) }
	// StartOption is an option of [Emitter.RunStart]: [ParentRun], or any EventOption.
	StartOption interface{ start(*members) }
	// FinishOption is an option of [Emitter.RunFinish]: [PendingToolCalls], [Usage], or any EventOption.
	FinishOption interface{ finish(*members) }
	// ErrorOption is an option of [Emitter.RunError]: [Usage], or any EventOption.
	ErrorOption interface{ fail(*members) }
	// SubagentOption is an option of [Emitter.Subagent]: [Description], [SpawnedBy], or any EventOption.
	SubagentOption interface{ subagent(*members) }
)

// members are the members that options set.
type members struct {
	base        events.Base
	role        events.Role
	name        events.Opt[string]
	parent      events.Opt[string]
	messageID   events.Opt[string]
	replace     events.Opt[bool]
	source      events.Opt[string]
	description events.Opt[string]
	parentCall  events.Opt[string]
	pending     []string
	usage       []events.TokenUsage
	err         error // the first member that cannot be encoded
}

// free sets a free-form member, or keeps why it cannot be encoded.
func (m *members) free(dst *events.JSON, name string, v any) {
	j, err := events.NewJSON(v)
	if err != nil {
		if m.err == nil {
			m.err = fmt.Errorf("%s: %w", name, err)
		}
		return
	}
	*dst = j
}

// gather returns the members that options set. A member that cannot be encoded is the error of a call
// that sends t. A nil option is harmless.
func gather[O comparable](em *Emitter, t events.Type, opts []O, set func(O, *members)) (*members, error) {
	m := new(members)
	var none O
	for _, o := range opts {
		if o != none {
			set(o, m)
		}
	}
	if m.err != nil {
		return nil, em.fault(&EncodeError{EventType: t, Err: m.err})
	}
	return m, nil
}

// emitWith emits ev after setting the members that every event has.
func (em *Emitter) emitWith(ev events.Event, base *events.Base, opts []EventOption) error {
	_, err := em.openWith(ev, base, opts)
	return err
}

// openWith is emitWith for an event that may open something, which it returns.
func (em *Emitter) openWith(ev events.Event, base *events.Base, opts []EventOption) (*verify.Entity, error) {
	if len(opts) > 0 {
		m, err := gather(em, ev.EventType(), opts, EventOption.event)
		if err != nil {
			return nil, err
		}
		*base = m.base
	}
	return em.open(ev)
}

type eventOption func(*members)

func (o eventOption) event(m *members)    { o(m) }
func (o eventOption) text(m *members)     { o(m) }
func (o eventOption) tool(m *members)     { o(m) }
func (o eventOption) result(m *members)   { o(m) }
func (o eventOption) activity(m *members) { o(m) }
func (o eventOption) raw(m *members)      { o(m) }
func (o eventOption) start(m *members)    { o(m) }
func (o eventOption) finish(m *members)   { o(m) }
func (o eventOption) fail(m *members)     { o(m) }
func (o eventOption) subagent(m *members) { o(m) }

// AnyOption is an option that every call takes.
type AnyOption interface {
	EventOption
	TextOption
	ToolOption
	ResultOption
	ActivityOption
	RawOption
	StartOption
	FinishOption
	ErrorOption
	SubagentOption
}

// Metadata sets the event's metadata, which must be encoded as a JSON object. A value that cannot be
// encoded makes the call an [*EncodeError], one that is no object a violation of InvalidField.
func Metadata(v any) AnyOption {
	return eventOption(func(m *members) { m.free(&m.base.Metadata, "metadata", v) })
}

// RawEvent sets the event's rawEvent: the provider's own event, for debugging.
func RawEvent(v any) AnyOption {
	return eventOption(func(m *members) { m.free(&m.base.RawEvent, "rawEvent", v) })
}

// Timestamp sets the event's timestamp, in milliseconds since the Unix epoch on the wire.
func Timestamp(t time.Time) AnyOption {
	return eventOption(func(m *members) { m.base.Timestamp = events.Some(t.UnixMilli()) })
}

type textOption func(*members)

func (o textOption) text(m *members) { o(m) }

// Role sets the role of a text message: developer, system, assistant or user. Absent means assistant.
func Role(r events.Role) TextOption {
	return textOption(func(m *members) { m.role = r })
}

// Name sets the display name of a text message's author.
func Name(name string) TextOption {
	return textOption(func(m *members) { m.name = events.Some(name) })
}

type toolOption func(*members)

func (o toolOption) tool(m *members) { o(m) }

// Parent names the assistant message that holds the tool call. Without it, clients make one.
func Parent(messageID string) ToolOption {
	return toolOption(func(m *members) { m.parent = events.Some(messageID) })
}

type resultOption func(*members)

func (o resultOption) result(m *members) { o(m) }

// MessageID sets the id of the message that a tool call's result creates. The default is a new id.
func MessageID(id string) ResultOption {
	return resultOption(func(m *members) { m.messageID = events.Some(id) })
}

type activityOption func(*members)

func (o activityOption) activity(m *members) { o(m) }

// Replace says whether an activity snapshot replaces an existing activity. Absent means true.
func Replace(replace bool) ActivityOption {
	return activityOption(func(m *members) { m.replace = events.Some(replace) })
}

type rawOption func(*members)

func (o rawOption) raw(m *members) { o(m) }

// Source names where a raw event came from.
func Source(name string) RawOption {
	return rawOption(func(m *members) { m.source = events.Some(name) })
}

type startOption func(*members)

func (o startOption) start(m *members) { o(m) }

// ParentRun names the run that spawned this one.
func ParentRun(runID string) StartOption {
	return startOption(func(m *members) { m.parent = events.Some(runID) })
}

type finishOption func(*members)

func (o finishOption) finish(m *members) { o(m) }

// PendingToolCalls names the calls of this run that have no result, in call order. Clients derive
// them when it is absent.
func PendingToolCalls(ids ...string) FinishOption {
	return finishOption(func(m *members) { m.pending = append(m.pending, ids...) })
}

// EndOption is an option of [Emitter.RunFinish] and of [Emitter.RunError].
type EndOption interface {
	FinishOption
	ErrorOption
}

type endOption func(*members)

func (o endOption) finish(m *members) { o(m) }
func (o endOption) fail(m *members)   { o(m) }

// Usage adds the tokens that the run spent.
func Usage(usage ...events.TokenUsage) EndOption {
	return endOption(func(m *members) { m.usage = append(m.usage, usage...) })
}

type subagentOption func(*members)

func (o subagentOption) subagent(m *members) { o(m) }

// Description says what a subagent does.
func Description(text string) SubagentOption {
	return subagentOption(func(m *members) { m.description = events.Some(text) })
}

// SpawnedBy names the tool call that spawned a subagent.
func SpawnedBy(toolCallID string) SubagentOption {
	return subagentOption(func(m *members) { m.parentCall = events.Some(toolCallID) })
}
