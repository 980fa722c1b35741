package aguiotel

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
)

// maxParts is how many tool calls, subagents and steps of each kind a run is watched for at a time. Of a
// run that opens more, the rest has no spans.
const maxParts = 1024

// parts makes the spans of a run's tool calls, subagents and steps.
type parts struct {
	telemetry *Telemetry
	tracer    trace.Tracer
	ctx       context.Context // the run's
	calls     map[string]*call
	chunked   string             // the call that chunks without an id are of
	steps     map[step]time.Time // when each began
	subagents map[string]subagent
}

// call is a tool call that has no result yet.
type call struct {
	name  string
	ready time.Time // when its arguments were complete; zero: they are not
}

// step is an open step: its name is unique for its owner.
type step struct {
	name  string
	owner events.Opt[string]
}

// subagent is a subagent that runs.
type subagent struct {
	ctx  context.Context
	span trace.Span
}

// newParts returns nil when no part has spans.
func newParts(ctx context.Context, t *Telemetry, tracer trace.Tracer) *parts {
	if !t.toolSpans && !t.subagentSpans && !t.stepSpans {
		return nil
	}
	return &parts{
		telemetry: t, tracer: tracer, ctx: ctx,
		calls: make(map[string]*call), steps: make(map[step]time.Time), subagents: make(map[string]subagent),
	}
}

// event begins or ends what ev does.
func (p *parts) event(ev events.Event) {
	if p.telemetry.toolSpans {
		p.toolEvent(ev)
	}
	if p.telemetry.subagentSpans {
		p.subagentEvent(ev)
	}
	if p.telemetry.stepSpans {
		p.stepEvent(ev)
	}
}

func (p *parts) toolEvent(ev events.Event) {
	switch e := ev.(type) {
	case *events.ToolCallStart:
		p.open(e.ToolCallID, e.ToolCallName)
	case *events.ToolCallEnd:
		p.ready(e.ToolCallID)
	case *events.ToolCallChunk: // each may be the last
		p.chunked = e.ToolCallID.Or(p.chunked)
		if name, ok := e.ToolCallName.Get(); ok && p.calls[p.chunked] == nil {
			p.open(p.chunked, name)
		}
		p.ready(p.chunked)
	case *events.ToolCallResult:
		p.answer(e)
	}
}

func (p *parts) open(id, name string) {
	if len(p.calls) < maxParts {
		p.calls[id] = &call{name: clip.ID(name)}
	}
}

func (p *parts) ready(id string) {
	if c := p.calls[id]; c != nil {
		c.ready = p.telemetry.clock()
	}
}

// answer records the span of a call. It is made when the result is there: a call that is never answered,
// as those of front-end tools, was not executed here.
func (p *parts) answer(e *events.ToolCallResult) {
	c := p.calls[e.ToolCallID]
	if c == nil || c.ready.IsZero() {
		return
	}
	delete(p.calls, e.ToolCallID)
	attrs := []attribute.KeyValue{
		KeyOperation.String(spanTool), KeyTool.String(c.name), KeyToolCall.String(clip.ID(e.ToolCallID)),
	}
	if p.telemetry.agent != "" {
		attrs = append(attrs, KeyAgent.String(p.telemetry.agent))
	}
	_, span := p.tracer.Start(p.under(e.SubagentRunID), spanName(spanTool, c.name), trace.WithTimestamp(c.ready), trace.WithAttributes(attrs...))
	span.End(trace.WithTimestamp(p.telemetry.clock()))
}

func (p *parts) subagentEvent(ev events.Event) {
	switch e := ev.(type) {
	case *events.SubagentStarted:
		p.begin(e)
	case *events.SubagentFinished:
		outcome := "success"
		if e.Outcome != nil && e.Outcome.OutcomeType() == "suspended" {
			outcome = "suspended"
		}
		p.finish(e.SubagentRunID, outcome, p.telemetry.clock())
	case *events.SubagentError:
		if s, ok := p.subagents[e.SubagentRunID]; ok {
			code := e.Code.Or("")
			if code == "" {
				code = errorTypeOther
			}
			s.span.SetAttributes(KeyErrorType.String(clip.ID(code)))
			s.span.SetStatus(codes.Error, clip.ID(e.Message))
		}
		p.finish(e.SubagentRunID, "error", p.telemetry.clock())
	}
}

func (p *parts) begin(e *events.SubagentStarted) {
	if len(p.subagents) >= maxParts {
		return
	}
	name := clip.ID(e.Name)
	ctx, span := p.tracer.Start(p.under(e.ParentSubagentRunID), spanName(spanRun, name), trace.WithTimestamp(p.telemetry.clock()),
		trace.WithAttributes(KeyOperation.String(spanRun), KeyAgent.String(name), KeySubagent.String(clip.ID(e.SubagentRunID))))
	p.subagents[e.SubagentRunID] = subagent{ctx, span}
}

func (p *parts) finish(id, outcome string, now time.Time) {
	s, ok := p.subagents[id]
	if !ok {
		return
	}
	delete(p.subagents, id)
	s.span.SetAttributes(KeySubagentOutcome.String(outcome))
	s.span.End(trace.WithTimestamp(now))
}

func (p *parts) stepEvent(ev events.Event) {
	switch e := ev.(type) {
	case *events.StepStarted:
		if len(p.steps) < maxParts {
			p.steps[step{e.StepName, e.SubagentRunID}] = p.telemetry.clock()
		}
	case *events.StepFinished:
		s := step{e.StepName, e.SubagentRunID}
		if begun, ok := p.steps[s]; ok {
			p.finishStep(s, begun, p.telemetry.clock())
		}
	}
}

func (p *parts) finishStep(s step, begun, now time.Time) {
	delete(p.steps, s)
	_, span := p.tracer.Start(p.under(s.owner), spanStep, trace.WithTimestamp(begun), trace.WithAttributes(KeyStep.String(clip.ID(s.name))))
	span.End(trace.WithTimestamp(now))
}

// under returns the context that the spans of an owner's parts are below: the subagent's, or the run's.
func (p *parts) under(owner events.Opt[string]) context.Context {
	if id, ok := owner.Get(); ok {
		if s, ok := p.subagents[id]; ok {
			return s.ctx
		}
	}
	return p.ctx
}

// end ends what the run has left open.
func (p *parts) end(now time.Time) {
	for s, begun := range p.steps {
		p.finishStep(s, begun, now)
	}
	for id := range p.subagents {
		p.finish(id, "unfinished", now)
	}
}
