package events

import (
	"errors"
	"reflect"
	"testing"
)

func TestSubagentRunID(t *testing.T) {
	for _, ev := range fullEvents() {
		want := Some("s1")
		switch ev.EventType() {
		case TypeTextMessageChunk:
			want = Some("")
		case TypeSubagentStarted, TypeSubagentFinished, TypeSubagentError:
			want = Some("s2")
		case TypeRunStarted, TypeRunFinished, TypeRunError, TypeMessagesSnapshot:
			want = Opt[string]{}
		}
		value := reflect.ValueOf(ev).Elem().Interface().(Event)
		for _, form := range []Event{ev, value} {
			if got := SubagentRunID(form); got != want {
				t.Errorf("%T\n got %v\nwant %v", form, got, want)
			}
		}
	}
	if got := SubagentRunID((*Raw)(nil)); got.IsSet() {
		t.Errorf("nil: got %v, want nothing", got)
	}
}

func TestTagged(t *testing.T) {
	for _, c := range []struct {
		name     string
		ev, want Event
	}{
		{"untagged", StepStarted{StepName: "x"}, &StepStarted{StepName: "x", SubagentRunID: Some("s9")}},
		{"tagged", &StepStarted{SubagentRunID: Some("")}, &StepStarted{SubagentRunID: Some("")}},
		{"nested start", SubagentStarted{SubagentRunID: "s2"}, &SubagentStarted{SubagentRunID: "s2", ParentSubagentRunID: Some("s9")}},
		{"nested start with a parent", SubagentStarted{ParentSubagentRunID: Some("s1")}, &SubagentStarted{ParentSubagentRunID: Some("s1")}},
		{"identity", SubagentError{SubagentRunID: "s2"}, &SubagentError{SubagentRunID: "s2"}},
		{"no tag", RunError{Message: "m"}, &RunError{Message: "m"}},
	} {
		got, err := Tagged(c.ev, "s9")
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v\n got %v\nwant %v", c.name, err, got, c.want)
		}
	}
	ev := &StepStarted{}
	if _, err := Tagged(ev, "s9"); err != nil || ev.SubagentRunID.IsSet() {
		t.Errorf("the event itself was changed: %v, %v", ev, err)
	}
	for _, null := range []Event{nil, (*StepStarted)(nil)} {
		if got, err := Tagged(null, "s9"); !errors.Is(err, ErrNil) {
			t.Errorf("nil: got %v, %v, want ErrNil", got, err)
		}
	}
}
