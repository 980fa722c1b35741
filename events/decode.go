package events

import "bytes"

// Decode reads one event, in pointer form: *[TextMessageStart] and so on. An event whose type AG-UI 1.0
// does not know is an *[Unknown].
//
// Decode is exact where the protocol is. Member names match exactly, the last of several members with
// one name counts, and null is no value for an optional member. A member that cannot be a value of its
// type is a *[FieldError] with a JSON Pointer to it. Unknown members, and unknown members of a union (a
// message's role, a part's or an outcome's type, a patch's op), are kept and written back. An interrupt
// outcome without interrupts is read: [RunOutcome] judges it.
//
// A text that is not JSON, or not an object with a non-empty string "type", is a *[SyntaxError]. Strings
// with invalid UTF-8 or lone surrogates are read with U+FFFD in their place. Values nested deeper than
// 10000 levels are refused; the length of data is for the caller to limit. Decode keeps no part of data.
func Decode(data []byte) (Event, error) {
	if err := validate(data); err != nil {
		return nil, err
	}
	data = trim(data)
	if data[0] != '{' {
		return nil, &SyntaxError{Reason: "want an event, an object, got " + kind(data)}
	}
	in := members(data)
	t := Type(lastString(in, "type"))
	if t == "" {
		return nil, &SyntaxError{Reason: "want an event, an object whose \"type\" is a non-empty string"}
	}
	ev := newEvent(t)
	if ev == nil {
		return &Unknown{Name: t, JSON: compact(data)}, nil
	}
	if err := readMembers(in, ev, false); err != nil {
		return nil, err.as(t)
	}
	return ev, nil
}

// DecodeInput reads a run request. Besides what AG-UI 1.0 allows it accepts what older clients send: null
// for the state, the forwarded props, a tool's parameters, a resume payload and a part's metadata, each
// the same as absent, and binary parts. A text that is not JSON is a *[SyntaxError], any other fault a
// *[FieldError].
func DecodeInput(data []byte) (*RunAgentInput, error) {
	in := new(RunAgentInput)
	if err := unmarshal(data, in, "", true); err != nil {
		return nil, err
	}
	return in, nil
}

// DecodeMessage reads one message, in pointer form: *[UserMessage] and so on, *[UnknownMessage] for a
// role that AG-UI 1.0 does not know. A text that is not JSON is a *[SyntaxError], any other fault a
// *[FieldError].
func DecodeMessage(data []byte) (Message, error) {
	if err := validate(data); err != nil {
		return nil, err
	}
	m, err := readMessage(trim(data), false)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// DecodeMessages reads a JSON array of messages, as [DecodeMessage] reads each.
func DecodeMessages(data []byte) ([]Message, error) {
	if err := validate(data); err != nil {
		return nil, err
	}
	data = trim(data)
	if data[0] != '[' {
		return nil, &FieldError{Reason: "want an array of messages, got " + kind(data)}
	}
	list, err := readAll(data, false, readMessage)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// unmarshal replaces *p by what data holds, or leaves it as it is and returns an error.
func unmarshal[T any, P interface {
	*T
	described
}](data []byte, p *T, t Type, legacy bool) error {
	if err := validate(data); err != nil {
		return err
	}
	var fresh T
	if err := read(trim(data), P(&fresh), legacy); err != nil {
		return err.as(t)
	}
	*p = fresh
	return nil
}

// trim cuts the white space around a JSON text.
func trim(data []byte) []byte { return bytes.Trim(data, " \t\r\n") }

type describedEvent interface {
	Event
	described
}

// newEvent returns an empty event of the type, nil for an unknown one.
func newEvent(t Type) describedEvent {
	switch t {
	case TypeTextMessageStart:
		return new(TextMessageStart)
	case TypeTextMessageContent:
		return new(TextMessageContent)
	case TypeTextMessageEnd:
		return new(TextMessageEnd)
	case TypeTextMessageChunk:
		return new(TextMessageChunk)
	case TypeToolCallStart:
		return new(ToolCallStart)
	case TypeToolCallArgs:
		return new(ToolCallArgs)
	case TypeToolCallEnd:
		return new(ToolCallEnd)
	case TypeToolCallChunk:
		return new(ToolCallChunk)
	case TypeToolCallResult:
		return new(ToolCallResult)
	case TypeStateSnapshot:
		return new(StateSnapshot)
	case TypeStateDelta:
		return new(StateDelta)
	case TypeMessagesSnapshot:
		return new(MessagesSnapshot)
	case TypeActivitySnapshot:
		return new(ActivitySnapshot)
	case TypeActivityDelta:
		return new(ActivityDelta)
	case TypeRaw:
		return new(Raw)
	case TypeCustom:
		return new(Custom)
	case TypeRunStarted:
		return new(RunStarted)
	case TypeRunFinished:
		return new(RunFinished)
	case TypeRunError:
		return new(RunError)
	case TypeStepStarted:
		return new(StepStarted)
	case TypeStepFinished:
		return new(StepFinished)
	case TypeReasoningStart:
		return new(ReasoningStart)
	case TypeReasoningMessageStart:
		return new(ReasoningMessageStart)
	case TypeReasoningMessageContent:
		return new(ReasoningMessageContent)
	case TypeReasoningMessageEnd:
		return new(ReasoningMessageEnd)
	case TypeReasoningMessageChunk:
		return new(ReasoningMessageChunk)
	case TypeReasoningEnd:
		return new(ReasoningEnd)
	case TypeReasoningEncryptedValue:
		return new(ReasoningEncryptedValue)
	case TypeSubagentStarted:
		return new(SubagentStarted)
	case TypeSubagentFinished:
		return new(SubagentFinished)
	case TypeSubagentError:
		return new(SubagentError)
	}
	return nil
}
