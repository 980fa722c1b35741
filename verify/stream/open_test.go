package stream_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// TestOpenIsWhatWasOpen holds what each finding of each sequence says was open to a verifier that has seen the
// same.
func TestOpenIsWhatWasOpen(t *testing.T) {
	list := readSequences(t)
	var many strings.Builder // of which the first ones close first, in the middle, and last
	many.WriteString(sse(started))
	for i := range 40 {
		many.WriteString(sse(fmt.Sprintf(`TEXT_MESSAGE_START "messageId":"m%d"`, i), endM, fmt.Sprintf(`STEP_STARTED "stepName":"s%d"`, i%30), finished))
	}
	for i := range 40 {
		many.WriteString(sse(fmt.Sprintf(`TEXT_MESSAGE_END "messageId":"m%d"`, (i*7+20)%40), callC, fmt.Sprintf(`STEP_FINISHED "stepName":"s%d"`, i%30), finished))
	}
	texts := []string{many.String(), many.String() + sse(failed) + many.String()}
	for _, s := range list {
		texts = append(texts, writings["sse"](s.Events))
	}
	found := 0
	for _, text := range texts {
		for _, allowed := range [][]verify.Rule{nil, {verify.DuplicateStart, verify.NotOpen, verify.OpenAtFinish, verify.OwnerMismatch}} {
			other := verify.New(verify.Strict, verify.Allow(allowed...))
			see := func(ev events.Event, _ stream.Position) {
				if ev.EventType() == events.TypeRunStarted {
					other.NextRun()
				}
				_ = other.Observe(ev)
			}
			c := stream.NewChecker(stream.WithRules(verify.Strict, verify.Allow(allowed...)), stream.MultiRun(), stream.OnEvent(see))
			for f := range c.Read(strings.NewReader(text)) {
				if f.Violation == nil {
					continue
				}
				found++
				all := other.Open()
				if got, want := f.OpenCount, len(all); got != want {
					t.Errorf("%v: open\n got: %d\nwant: %d", f, got, want)
				}
				if got, want := f.Violation.Open, all[:min(len(all), 10)]; !slices.Equal(got, want) {
					t.Errorf("%v: open\n got: %v\nwant: %v", f, got, want)
				}
			}
		}
	}
	if found < 200 {
		t.Errorf("violations\n got: %d\nwant: at least 200", found)
	}
}

// TestManyViolations: what checking costs grows with the stream, not with its violations times what is open.
func TestManyViolations(t *testing.T) {
	const n, most = 4000, 100 << 20
	opens := func(i int) string { return sse(fmt.Sprintf(`TEXT_MESSAGE_START "messageId":"m%d"`, i)) }
	closes := func(i int) string { return sse(fmt.Sprintf(`TEXT_MESSAGE_END "messageId":"m%d"`, i)) }
	bad := sse(`TEXT_MESSAGE_END "messageId":"other"`)
	var after, among, closing strings.Builder
	for i := range n {
		after.WriteString(opens(i))
		among.WriteString(opens(i) + bad)
	}
	closing.WriteString(after.String())
	for i := range n {
		after.WriteString(bad)
		closing.WriteString(closes(i) + bad)
	}
	for name, text := range map[string]string{"after": after.String(), "among": among.String(), "while they close": closing.String()} {
		text = sse(started) + text
		var before, later runtime.MemStats
		runtime.ReadMemStats(&before)
		violations := 0
		for f := range stream.NewChecker().Read(strings.NewReader(text)) {
			if errors.Is(f, verify.NotOpen) {
				violations++
			}
		}
		runtime.ReadMemStats(&later)
		if got, want := violations, n; got != want {
			t.Errorf("%s: violations\n got: %d\nwant: %d", name, got, want)
		}
		if got := later.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("%s: bytes allocated\n got: %d\nwant: at most %d", name, got, most)
		}
	}
}
