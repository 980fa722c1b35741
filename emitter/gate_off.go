//go:build aguinoverify

package emitter

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// gate stands before the wire. In this build it is empty and lets everything pass.
type gate struct{}

func (*gate) open(verify.Set, policy, []events.Message) {}

func (*gate) full(int, events.Event) (int, bool) { return 0, false }

func (*gate) observe(events.Event) error { return nil }

func (*gate) would(events.Event) error { return nil }

func (*gate) content(verify.Kind, string, events.Opt[string]) (*verify.Entity, error) {
	return nil, nil
}

func (*gate) resume(*verify.Entity, events.Opt[string]) error { return nil }

func (*gate) entity(verify.Kind, string, events.Opt[string]) *verify.Entity { return nil }

func (*gate) refuse(*events.FieldError) int { return 0 }

func (*gate) openEntities() []verify.Open { return nil }

func (*gate) hasReported() bool { return false }

func (*gate) takeReported() []*verify.Violation { return nil }
