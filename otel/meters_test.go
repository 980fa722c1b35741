package aguiotel_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// TestInstruments holds each instrument to its unit and its buckets: a wrong layout shows nowhere else.
func TestInstruments(t *testing.T) {
	long := []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6, 819.2, 1638.4, 3600, 7200}
	short := []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	want := map[string]struct {
		unit      string
		monotonic bool
		bounds    []float64
	}{
		"gen_ai.invoke_agent.duration":   {"s", false, long},
		"agui.run.time_to_first_event":   {"s", false, short},
		"agui.run.time_to_first_content": {"s", false, short},
		"agui.active_runs":               {"{run}", false, nil},
		"agui.events":                    {"{event}", true, nil},
		"agui.verify.violations":         {"{violation}", true, nil},
		"agui.stream.bytes":              {"By", true, nil},
		"agui.stream.flushes":            {"{flush}", true, nil},
		"agui.stream.write.errors":       {"{error}", true, nil},
	}
	rec := newRecording()
	emit(t, rec.telemetry(), everything)
	run := rec.telemetry().Run()
	run.Start(t.Context(), nil)
	run.Flush(os.ErrClosed)
	got := rec.collect(t)
	for name, want := range want {
		m, ok := got[name]
		if !ok {
			if name != "agui.verify.violations" || !build.NoVerify {
				t.Errorf("%s is not there", name)
			}
			continue
		}
		if m.Unit != want.unit || m.Description == "" {
			t.Errorf("%s: unit, description\n got: %q, %q\nwant: %q, one", name, m.Unit, m.Description, want.unit)
		}
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			if data.IsMonotonic != want.monotonic || want.bounds != nil {
				t.Errorf("%s: got a sum, monotonic %t", name, data.IsMonotonic)
			}
		case metricdata.Histogram[float64]:
			if got := data.DataPoints[0].Bounds; !slices.Equal(got, want.bounds) {
				t.Errorf("%s: bounds\n got: %v\nwant: %v", name, got, want.bounds)
			}
		}
		delete(got, name)
	}
	for name := range got {
		if _, known := want[name]; !known {
			t.Errorf("%s is there, and unknown", name)
		}
	}
}

// everything is an agent that does a little of all.
func everything(em *emitter.Emitter) {
	_ = em.RunStart("t", "r")
	msg := em.Text()
	_, _ = msg.WriteString("one ")
	_, _ = msg.WriteString("two")
	_ = msg.Close()
	_ = em.TextEnd("never opened")
	_ = em.RunFinish(nil)
}

func TestCounts(t *testing.T) {
	rec := newRecording()
	var size int
	emit(t, rec.telemetry(), everything, emitter.WithObserver(func() *weigher { return &weigher{size: &size} }))
	want := map[string]int64{
		"agui.event.type=RUN_STARTED": 1, "agui.event.type=TEXT_MESSAGE_START": 1, "agui.event.type=TEXT_MESSAGE_CONTENT": 2,
		"agui.event.type=TEXT_MESSAGE_END": 1, "agui.event.type=RUN_FINISHED": 1,
	}
	violations := map[string]int64{"agui.event.type=TEXT_MESSAGE_END,agui.rule=NotOpen": 1}
	if build.NoVerify {
		want["agui.event.type=TEXT_MESSAGE_END"] = 2
		violations = map[string]int64{}
	}
	if got := rec.sum(t, "agui.events"); !equal(got, want) {
		t.Errorf("agui.events\n got: %v\nwant: %v", got, want)
	}
	if got := rec.sum(t, "agui.verify.violations"); !equal(got, violations) {
		t.Errorf("agui.verify.violations\n got: %v\nwant: %v", got, violations)
	}
	var events int64
	for _, n := range want {
		events += n
	}
	if got, want := rec.sum(t, "agui.stream.flushes"), (map[string]int64{"": events}); !equal(got, want) {
		t.Errorf("agui.stream.flushes\n got: %v\nwant: %v", got, want)
	}
	if got, want := rec.sum(t, "agui.stream.bytes"), (map[string]int64{"": int64(size)}); !equal(got, want) || size == 0 {
		t.Errorf("agui.stream.bytes\n got: %v\nwant: %v", got, want)
	}
}

// weigher adds up what is written.
type weigher struct{ size *int }

func (w *weigher) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (w *weigher) Event(_ events.Type, _ events.Event, bytes int)                     { *w.size += bytes }
func (w *weigher) Flush(error)                                                        {}
func (w *weigher) Violation(context.Context, *verify.Violation)                       {}
func (w *weigher) End(context.Context, events.Event, error)                           {}

// TestFirsts checks what is measured until something is seen, and that content counts when it is flushed.
func TestFirsts(t *testing.T) {
	delta := events.TypeTextMessageContent
	tests := []struct {
		name           string
		run            func(c *clock, run *aguiotel.Run)
		event, content float64 // seconds; negative: not measured
	}{
		{"a message", func(c *clock, run *aguiotel.Run) {
			run.Event(events.TypeRunStarted, nil, 1)
			run.Flush(nil)
			c.wait()
			run.Event(events.TypeTextMessageStart, nil, 1)
			run.Flush(nil)
			c.wait()
			run.Event(delta, nil, 1)
			c.wait()
			run.Flush(nil)
			c.wait()
			run.Event(delta, nil, 1)
			run.Flush(nil)
		}, 1, 3},
		{"content at once", func(c *clock, run *aguiotel.Run) {
			c.wait()
			run.Event(events.TypeRunStarted, nil, 1)
			run.Event(events.TypeToolCallArgs, nil, 1)
			run.Flush(nil)
		}, 1, 1},
		{"content that cannot be flushed", func(c *clock, run *aguiotel.Run) {
			run.Event(events.TypeRunStarted, nil, 1)
			run.Event(delta, nil, 1)
			run.Flush(os.ErrDeadlineExceeded)
		}, 0, -1},
		{"RUN_STARTED alone", func(c *clock, run *aguiotel.Run) {
			run.Event(events.TypeRunStarted, nil, 1)
			run.Flush(nil)
		}, -1, -1},
		{"before RUN_STARTED", func(c *clock, run *aguiotel.Run) {
			run.Event(events.TypeRaw, &events.Raw{}, 1)
			run.Flush(nil)
		}, -1, -1},
		{"the trace is not the agent's", func(c *clock, run *aguiotel.Run) {
			run.Event(events.TypeRunStarted, nil, 1)
			run.Event(events.TypeCustom, &events.Custom{Name: "agui.trace"}, 1)
			run.Flush(nil)
			c.wait()
			run.Event(events.TypeCustom, &events.Custom{Name: "other"}, 1)
			run.Flush(nil)
		}, 1, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec, c := newRecording(), newClock()
			run := rec.telemetry(c.option()).Run()
			run.Start(t.Context(), nil)
			tt.run(c, run)
			for name, want := range map[string]float64{"agui.run.time_to_first_event": tt.event, "agui.run.time_to_first_content": tt.content} {
				point, measured := rec.histogram(t, name)["gen_ai.agent.name=tester"]
				if measured != (want >= 0) || measured && (point.Sum != want || point.Count != 1) {
					t.Errorf("%s\n got: %v, %d times\nwant: %v", name, point.Sum, point.Count, want)
				}
			}
		})
	}
}

// TestLongRunsPublish checks that a run that goes on for long is seen before its end, also while it is silent.
func TestLongRunsPublish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := newRecording()
		em := emitter.New(t.Context(), emitter.ToWriter(io.Discard), emitter.WithTelemetry(rec.telemetry()), emitter.WithLogger(nil),
			emitter.WithPolicy(emitter.Reject))
		published := func() (sum int64) {
			for _, n := range rec.sum(t, "agui.events") {
				sum += n
			}
			return sum
		}
		must(t, em.RunStart("t", "r"), em.TextStart("m"), em.TextContent("m", "x"))
		if got := published(); got != 0 {
			t.Errorf("published at once\n got: %d\nwant: 0", got)
		}
		_ = em.TextContent("nope", "x")
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if got, want := published(), perBuild[int64](3, 4); got != want {
			t.Errorf("published after six seconds of silence\n got: %d\nwant: %d", got, want)
		}
		if got, want := len(rec.sum(t, "agui.verify.violations")), perBuild(1, 0); got != want {
			t.Errorf("series of violations\n got: %d\nwant: %d", got, want)
		}
		if got := rec.sum(t, "agui.active_runs")["gen_ai.agent.name=tester"]; got != 1 {
			t.Errorf("agui.active_runs\n got: %d\nwant: 1", got)
		}
		must(t, em.TextContent("m", "y"), em.TextEnd("m"), em.RunFinish(nil), em.Close(nil))
		if got, want := published(), perBuild[int64](6, 7); got != want {
			t.Errorf("published at the end\n got: %d\nwant: %d", got, want)
		}
	})
}

// TestSeriesDoNotGrow has agents send whatever comes to their minds, a thousand times.
func TestSeriesDoNotGrow(t *testing.T) {
	rec := newRecording()
	telemetry := rec.telemetry(aguiotel.WithToolSpans(), aguiotel.WithSubagentSpans(), aguiotel.WithStepSpans(), aguiotel.WithTraceEvent())
	hostile := func(i int) {
		id := fmt.Sprintf("%d-%s", i, strings.Repeat("\xff😈\n", i%50))
		emit(t, telemetry, func(em *emitter.Emitter) {
			_ = em.RunStart("thread"+id, "run"+id)
			_ = em.TextContent("never opened"+id, id)
			_ = em.Custom("name."+id, id)
			call := em.ToolCall("tool" + id)
			_ = call.WriteJSON(id)
			_ = call.Result(id)
			_ = em.Step("step"+id, func() error { return nil })
			_ = em.RunSubagent("agent"+id, func(*emitter.Subagent) error { return nil })
			_ = em.Emit(&events.Unknown{Name: events.Type("TYPE_" + id)})
			_ = em.TextEnd("never opened" + id)
			if i%2 == 0 {
				_ = em.RunError("message"+id, "code"+id)
			} else {
				_ = em.RunFinish(nil)
			}
		}, emitter.WithInput(&events.RunAgentInput{ThreadID: "thread" + id, RunID: "run" + id}))
	}
	for i := range 10 {
		hostile(i)
	}
	after10 := rec.series(t)
	for i := range 990 {
		hostile(10 + i)
	}
	after1000 := rec.series(t)
	if !slices.Equal(after10, after1000) {
		t.Errorf("series\n got: %d after 1,000 runs: %q\nwant: the %d after 10: %q", len(after1000), after1000, len(after10), after10)
	}
	rec.checkCatalogue(t)
	if len(after10) < 15 {
		t.Errorf("series: got only %q", after10)
	}
}

func TestEveryEventTypeHasASeries(t *testing.T) {
	rec := newRecording()
	run := rec.telemetry().Run()
	ctx := run.Start(t.Context(), nil)
	types := append(aguiotel.EventTypes(), "x", "THINKING_START")
	for _, eventType := range types {
		run.Event(eventType, nil, 1)
	}
	run.End(ctx, nil, nil)
	got := rec.sum(t, "agui.events")
	if len(got) != 32 || got["agui.event.type=other"] != 3 {
		t.Errorf("agui.events\n got: %v\nwant: 31 types, and the others as one", got)
	}
}

// BenchmarkEvent measures what the telemetry adds to one delta.
func BenchmarkEvent(b *testing.B) {
	rec := newRecording()
	run := rec.telemetry().Run()
	run.Start(b.Context(), nil)
	run.Event(events.TypeRunStarted, nil, 60)
	b.ReportAllocs()
	for b.Loop() {
		run.Event(events.TypeTextMessageContent, nil, 90)
		run.Flush(nil)
	}
}
