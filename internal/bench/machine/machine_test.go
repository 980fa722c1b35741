package machine

import (
	"context"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/bench/reporttest"
	"github.com/agui-go/agui/verify"
)

func TestShort(t *testing.T) {
	for _, g := range Groups() {
		t.Run(g.Key, func(t *testing.T) {
			if r := reporttest.Short(t, g); len(r.Goals) == 0 || len(r.Ratios) == 0 {
				t.Errorf("got %d goals, %d ratios\nwant some of each", len(r.Goals), len(r.Ratios))
			}
		})
	}
}

// TestSequences: the runs are about as long as each other, but for what starts and ends so many messages, and in order.
func TestSequences(t *testing.T) {
	for _, s := range sequences(20) {
		v := verify.New(verify.Strict)
		for i, ev := range s.events {
			if err := v.Observe(ev); err != nil {
				t.Fatalf("%s, event %d: %v", s.name, i, err)
			}
		}
		if err := v.End(); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		starts := 0
		for _, ev := range s.events {
			if ev.EventType() == events.TypeTextMessageStart {
				starts++
			}
		}
		if n, most := len(s.events), max(800, 3*starts); n < 400 || n > most {
			t.Errorf("%s: got %d events\nwant 400 to %d", s.name, n, most)
		}
	}
}

// TestSideBySide: all messages are open at once, and the deltas come as they do to the look-ups.
func TestSideBySide(t *testing.T) {
	for _, s := range scenes {
		const deltas = 400
		all := sideBySide(s, deltas)
		ids := order(s.open, s.burst)
		for i := range deltas {
			ev, ok := all[1+s.open+i].(*events.TextMessageContent)
			if !ok || ev.MessageID != ids[i%len(ids)] {
				t.Fatalf("%s, delta %d\n got: %v\nwant: one of %s", s, i, all[1+s.open+i], ids[i%len(ids)])
			}
		}
		if want := 2 + 2*s.open + deltas; len(all) != want {
			t.Errorf("%s\n got: %d events\nwant: %d", s, len(all), want)
		}
	}
}

// TestRefused: the official verifier refuses what is out of order, so what it is timed with is checked.
func TestRefused(t *testing.T) {
	c, err := start(context.Background(), sequence{name: "out of order", events: []events.Event{
		events.NewRunStarted("thread", "run"),
		events.NewTextMessageContent("m", "never opened"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.passes(orderOnly, 1); err == nil || !strings.Contains(err.Error(), "official verifier") {
		t.Errorf("got %v\nwant the verifier's refusal", err)
	}
	if err := c.stop(); err != nil {
		t.Error(err)
	}
}

// TestOrder: bursts are of one message, in memory other than that of its start.
func TestOrder(t *testing.T) {
	ids := order(100, 20)
	for i := 0; i+20 <= len(ids); i += 20 {
		for _, id := range ids[i : i+20] {
			if id != ids[i] || len(id) != 36 {
				t.Fatalf("got %q in a burst of %q\nwant 20 of one id of 36 characters", id, ids[i])
			}
		}
	}
}

func TestAged(t *testing.T) {
	for _, n := range []int{10, 1000} {
		v, err := aged(n)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Index(); got > n || got <= n-eventsOfLife {
			t.Errorf("got a run of %d events\nwant %d", got, n)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{7: "7", 1000: "1,000", 200_002: "200,002", 1_000_000: "1,000,000"} {
		if got := thousands(n); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
