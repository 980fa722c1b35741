package verify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
)

// maxListed is the number of open things that a sentence names.
const maxListed = 5

// why says why the event breaks rule: one sentence, and a remedy where the rule's own can be made more
// exact. It runs only when somebody will read it.
func (t *trial) why(rule Rule) (sentence, remedy string) {
	switch rule {
	case RunNotStarted:
		return t.whyRunNotStarted()
	case RunEnded:
		return t.whyRunEnded()
	case DuplicateRunStarted:
		return t.whyDuplicateRunStarted()
	case DuplicateStart:
		return t.whyDuplicateStart()
	case NotOpen:
		return t.whyNotOpen()
	case UnknownID:
		return t.whyUnknownID()
	case OutOfOrder:
		return t.whyOutOfOrder()
	case OpenAtFinish:
		return t.whyOpenAtFinish()
	case OwnerMismatch:
		return t.whyOwnerMismatch()
	case InvalidOutcome:
		return "the interrupt outcome has no interrupts", ""
	case Preamble:
		return "RUN_STARTED has not been sent, and the official client fails a run that begins with anything else", ""
	case ChunkSequence:
		return t.whyChunkSequence()
	case IDCollision:
		return t.whyIDCollision()
	case RunMismatch:
		return t.whyRunMismatch()
	case DuplicateInterrupt:
		return t.whyDuplicateInterrupt()
	case PendingToolCalls:
		return t.whyPendingToolCalls()
	case InvalidField:
		return whyInvalidField(t.field), ""
	}
	return t.whyUnterminated()
}

func (t *trial) whyRunEnded() (string, string) {
	sentence := fmt.Sprintf("the run ended with %s (event %d)", t.v.terminal, t.v.since)
	if t.act.op == opRunStarted {
		return sentence, "one run is one stream: start the next run on a new one"
	}
	return sentence, ""
}

func (t *trial) whyRunNotStarted() (string, string) {
	if t.act.op == opRunError {
		return "the run that fails has not been started", "send RUN_STARTED, then RUN_ERROR"
	}
	return "RUN_STARTED has not been sent", "send RUN_STARTED first"
}

func (t *trial) whyDuplicateRunStarted() (string, string) {
	return fmt.Sprintf("run %s of thread %s is active (started by event %d)", quoted(t.v.runID), quoted(t.v.threadID), t.v.since), ""
}

func (t *trial) whyDuplicateStart() (string, string) {
	a := &t.act
	if e := a.open; e != nil {
		sentence := fmt.Sprintf("%s %s is already open (opened by event %d)", a.kind, quoted(a.id), e.index)
		if a.kind == KindSubagent {
			return sentence, "start another invocation under a new id"
		}
		return sentence, fmt.Sprintf("send %s first, or open with a new id", kindTable[a.kind].end)
	}
	return fmt.Sprintf("subagent %s ended at event %d, and an id is used once in a run", quoted(a.id), a.rec.closed-1),
		"start another invocation under a new id"
}

func (t *trial) whyNotOpen() (string, string) {
	a := &t.act
	what := fmt.Sprintf("%s %s", a.kind, quoted(a.id))
	remedy := fmt.Sprintf("send %s first", kindTable[a.kind].start)
	closed, byChunk := t.lastClosed()
	elsewhere := t.openElsewhere()
	near := t.v.nearestOpen(a.kind, a.id)
	switch {
	case elsewhere != "" && a.kind == KindStep:
		return elsewhere, "finish the step with the subagentRunId that started it"
	case closed != 0 && a.op == opContent:
		return fmt.Sprintf("%s was closed by event %d", what, closed-1),
			fmt.Sprintf("send content before %s, or open it again with %s", kindTable[a.kind].end, kindTable[a.kind].start)
	case closed != 0:
		return fmt.Sprintf("%s was closed by event %d", what, closed-1), "close it once"
	case byChunk:
		return what + " was opened by a chunk, and the client closes what chunks opened by itself",
			fmt.Sprintf("go on with chunks and send no end, or open it with %s", kindTable[a.kind].start)
	case elsewhere != "":
		return elsewhere, ""
	case near != "":
		return fmt.Sprintf("%s was never opened: %s is open; you wrote %s", what, quoted(near), quoted(a.id)), "use the id that was opened, or " + remedy
	}
	return what + " was never opened", remedy
}

// lastClosed returns 1 + the index of the event that closed what the event is about, 0 if it was never
// closed, and whether a chunk opened it.
func (t *trial) lastClosed() (closed uint32, byChunk bool) {
	a := &t.act
	switch {
	case a.kind == KindReasoningSpan:
		return a.rec.mark, false
	case a.kind == KindStep && a.rec.owner != t.v.owners.find(a.tag):
		return 0, false
	}
	if a.rec.flags&chunked != 0 {
		return 0, true
	}
	return a.rec.closed, false
}

// openElsewhere says under which other owner or as what other kind the id is open, "" if it is not.
func (t *trial) openElsewhere() string {
	a := &t.act
	if a.stale {
		return ""
	}
	if e := t.v.stepNamed(a); e != nil {
		return fmt.Sprintf("step %s is open under %s, and the event is of %s", quoted(a.id), t.v.inWords(e.owner), tagInWords(a.tag))
	}
	for k := KindTextMessage; k < numKinds; k++ {
		if e := t.v.open.tables[k].get(a.id); e != nil {
			return fmt.Sprintf("%s is open as a %s, not as a %s", quoted(a.id), k, a.kind)
		}
	}
	return ""
}

// stepNamed returns the first opened of the steps that have the name of the step a, whoever started them.
func (v *Verifier) stepNamed(a *act) *Entity {
	if a.kind != KindStep {
		return nil
	}
	var first *Entity
	looked := 0
	for key, e := range v.open.steps {
		if key.name == a.id && (first == nil || e.index < first.index) {
			first = e
		}
		if looked++; looked == maxNear {
			break
		}
	}
	return first
}

func (t *trial) whyUnknownID() (string, string) {
	if t.act.kind == KindSubagent {
		return t.whyUnknownParent()
	}
	sentence := fmt.Sprintf("tool call %s was never introduced", quoted(t.act.id))
	if near := t.v.nearestKnown(classToolCall, t.act.id, introduced); near != "" {
		return fmt.Sprintf("%s: %s was; you wrote %s", sentence, quoted(near), quoted(t.act.id)), "answer with the id of the call's TOOL_CALL_START"
	}
	return sentence, "send its TOOL_CALL_START first; a call of an earlier run must be in the messages of the request (Verifier.Seed, emitter.WithInput)"
}

func (t *trial) whyUnknownParent() (string, string) {
	parent := t.act.parent.Or("")
	sentence := fmt.Sprintf("parentSubagentRunId %s was never started in this run", quoted(parent))
	remedy := "start the parent first, or leave parentSubagentRunId out"
	near := t.v.nearestOpen(KindSubagent, parent)
	if near == "" {
		near = t.v.nearestKnown(classSubagent, parent, 0)
	}
	if near != "" {
		sentence += fmt.Sprintf(": %s was; you wrote %s", quoted(near), quoted(parent))
	}
	return sentence, remedy
}

func (t *trial) whyOutOfOrder() (string, string) {
	return fmt.Sprintf("tool call %s is still open (opened by event %d)", quoted(t.act.id), t.act.open.index), ""
}

func (t *trial) whyOwnerMismatch() (string, string) {
	a := &t.act
	parent := a.parent.Or("")
	switch t.clash() {
	case parentClash:
		return fmt.Sprintf("the call is of %s, and its message %s of %s", tagInWords(a.tag), quoted(parent), t.v.inWords(a.holder)),
			"a call has its message's subagentRunId: send that, none, or another parentMessageId"
	case inheritClash:
		return fmt.Sprintf("tool call %s is of %s, and its message %s of %s",
				quoted(a.id), t.v.inWords(t.ownerOnRecord()), quoted(parent), t.v.inWords(a.holder)),
			"a call has its message's owner: name the message that the call began in, or use a new call id"
	}
	return fmt.Sprintf("%s is of %s, and the event of %s", quoted(a.id), t.v.inWords(t.ownerOnRecord()), tagInWords(a.tag)), ""
}

// inWords names an owner.
func (v *Verifier) inWords(w owner) string { return tagInWords(v.owners.tag(w)) }

func tagInWords(tag events.Opt[string]) string {
	if id, tagged := tag.Get(); tagged {
		return "subagent " + quoted(id)
	}
	return "the parent agent"
}

func cutTag(tag events.Opt[string]) events.Opt[string] {
	if id, tagged := tag.Get(); tagged {
		return events.Some(clip.ID(id))
	}
	return tag
}

func (t *trial) whyChunkSequence() (string, string) {
	a := &t.act
	if a.op == opStart {
		l := t.assembledElsewhere()
		return fmt.Sprintf("the client is assembling %s %s from chunks of %s", a.kind, quoted(a.id), tagInWords(l.tag)),
			"go on with chunks, or start it with the same subagentRunId, which ends the chunk stream"
	}
	step, l := t.v.lanes.resolve(a, t.act.open != nil)
	switch step {
	case laneAmbiguous:
		return fmt.Sprintf("the chunk has neither an id nor a subagentRunId, and %d chunk streams could go on", len(t.v.lanes.byID[a.kind])),
			"send the id or the subagentRunId with every chunk"
	case laneForeign:
		return fmt.Sprintf("the chunks of %s %s are of %s, and this one of %s", a.kind, quoted(a.id), tagInWords(l.tag), tagInWords(a.tag)),
			"send all chunks of one stream with one subagentRunId"
	case laneChanges:
		return fmt.Sprintf("the chunk gives %s %s another %s than its first chunk", a.kind, quoted(l.id), l.changed(a)),
			"repeat what the first chunk said, or leave it out"
	case laneTaken:
		return fmt.Sprintf("%s %s is open by its %s, and a chunk would open it again", a.kind, quoted(a.id), kindTable[a.kind].start),
			fmt.Sprintf("send %s, or close it first", kindTable[a.kind].content)
	}
	if !a.named {
		return fmt.Sprintf("the chunk has no id, and no %s is being assembled for it to go on with", a.kind),
			"send the id again: an event of another kind ends a chunk stream"
	}
	return fmt.Sprintf("tool call %s is not being assembled, and its first chunk needs toolCallName", quoted(a.id)), ""
}

// changed names what the chunk a repeats with another value.
func (l *lane) changed(a *act) string {
	switch {
	case a.role != "" && a.role != l.role:
		return "role"
	case a.parent.IsSet() && a.parent != l.parent:
		return "parentMessageId"
	case a.kind == KindToolCall:
		return "toolCallName"
	}
	return "name"
}

func (t *trial) whyIDCollision() (string, string) {
	minted, mints := t.act.minted()
	has := t.act.names
	sentence := fmt.Sprintf("message id %s already names a %s, and this event makes it a %s", quoted(minted.id), has, mints)
	if has == mints {
		sentence += " again"
	}
	return sentence, ""
}

func (t *trial) whyOpenAtFinish() (string, string) {
	open := t.v.open.all()
	var names []string
	for _, e := range open[:min(len(open), maxListed)] {
		names = append(names, t.v.describe(e).String())
	}
	if more := len(open) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	verb := " is open"
	if len(open) > 1 {
		verb = " are open"
	}
	return strings.Join(names, ", ") + verb, ""
}

func (t *trial) whyRunMismatch() (string, string) {
	ev := t.act.event.(*events.RunFinished)
	if ev.ThreadID != t.v.threadID {
		return fmt.Sprintf("threadId is %s, and RUN_STARTED said %s", quoted(ev.ThreadID), quoted(t.v.threadID)), ""
	}
	return fmt.Sprintf("runId is %s, and RUN_STARTED said %s", quoted(ev.RunID), quoted(t.v.runID)), ""
}

func (t *trial) whyDuplicateInterrupt() (string, string) {
	first, second := t.twins()
	interrupts, _, _ := t.outcome()
	return fmt.Sprintf("interrupts %d and %d both have the id %s", first, second, quoted(interrupts[first].ID)), ""
}

func (t *trial) whyPendingToolCalls() (string, string) {
	at, fault := t.pendingFault()
	_, _, pending := t.outcome()
	if fault == pendingMissing {
		return fmt.Sprintf("pendingToolCallIds names %d of the %d calls without a result", len(pending), t.v.pending), ""
	}
	what := map[pendingFault]string{
		pendingStranger:   "is not a call of this run",
		pendingAnswered:   "has a result",
		pendingDisordered: "was started before the call that is listed ahead of it",
	}[fault]
	return fmt.Sprintf("pendingToolCallIds names %s, which %s", quoted(pending[at]), what), ""
}

func whyInvalidField(err error) string {
	var field *events.FieldError
	if !errors.As(err, &field) {
		return err.Error()
	}
	if field.Pointer == "" {
		return clip.Cut(field.Reason)
	}
	return clip.Cut(field.Pointer) + ": " + clip.Cut(field.Reason)
}

func (t *trial) whyUnterminated() (string, string) {
	if t.v.phase == waiting {
		return "the stream ended, and no run was started", ""
	}
	return "the stream ended in the middle of the run", ""
}
