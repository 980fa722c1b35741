import {
  AbstractAgent,
  CompatibilityBoundary,
  enforceEvents,
  transformChunks,
  transformHttpEventStream,
  verifyEvents,
} from "@ag-ui/client";
import { Subject, from, tap } from "rxjs";

// A sequence of events goes through the same stages as in AbstractAgent.runAgent: the compatibility
// boundary, the schemas, the expansion of chunks, the verifier, the reducer. All but the reducer are
// synchronous, so the event that a stage fails at is the one that was put in last.

// RecordedAgent is an agent whose run was recorded.
export class RecordedAgent extends AbstractAgent {
  constructor(events) {
    super({ threadId: "thread" });
    this.events = events;
  }
  run() {
    return from(this.events);
  }
}

const input = () => ({ threadId: "thread", runId: "run", state: {}, messages: [], tools: [], context: [], forwardedProps: {} });

// boundary is the compatibility boundary, as an operator.
export const boundary = () => (source) => new CompatibilityBoundary().run(input(), { run: () => source });

// feed puts the events into the operators one after the other, until one fails. It returns what came out,
// with the index of the event that each came from, and the failure or null.
export function feed(events, operators) {
  const source = new Subject();
  const out = [];
  const origin = [];
  let at = 0;
  let failed = null;
  operators.reduce((stream, operator) => operator(stream), source).subscribe({
    next(event) {
      out.push(event);
      origin.push(at);
    },
    error(err) {
      failed = { at, message: String(err?.message ?? err) };
    },
  });
  for (; at < events.length && !failed; at++) source.next(events[at]);
  return { out, origin, failed };
}

// verifier says what the verifier makes of the events when it stands alone: {ok: true}, or
// {ok: false, at, stage, message} where at is the index of the event that it fails at.
export function verifier(events) {
  const { failed } = feed(events, [verifyEvents()]);
  return failed ? { ok: false, stage: "order", ...failed } : { ok: true };
}

// pipeline says what the stages before the reducer make of the events, in the form of verifier. The stage
// of a failure is boundary, schema, chunks or order. verified and origin are for reduce.
function pipeline(events) {
  let stage;
  const enter = (name) => tap(() => (stage = name));
  const { out, origin, failed } = feed(events, [
    enter("boundary"),
    boundary(),
    enter("schema"),
    enforceEvents(),
    enter("chunks"),
    transformChunks(),
    enter("order"),
    verifyEvents(),
  ]);
  return { verdict: failed ? { ok: false, stage, ...failed } : { ok: true }, verified: out, origin };
}

// reduce applies the events that the verifier let through, as an agent does. It returns a failure in the
// form of verifier, or null.
async function reduce(verified, origin) {
  const agent = new RecordedAgent(verified);
  const parameters = input();
  let applied = 0;
  const subscribers = [{ onEvent: () => void applied++ }];
  const mutations = agent.processApplyEvents(parameters, agent.apply(parameters, agent.run(), subscribers), subscribers);
  return new Promise((resolve) => {
    mutations.subscribe({
      error: (err) =>
        resolve({ ok: false, stage: "reducer", at: origin[applied - 1], message: String(err?.message ?? err) }),
      complete: () => resolve(null),
    });
  });
}

// client says what the whole client makes of the events. Without reducer, the reducer is left out.
export async function client(events, reducer) {
  const { verdict, verified, origin } = pipeline(events);
  return (reducer && (await reduce(verified, origin))) || verdict;
}

// readStream returns the events of the body of an SSE response, as the client's own reader sees them.
export function readStream(body) {
  const response = new Subject();
  const events = [];
  let failed = null;
  transformHttpEventStream(response).subscribe({
    next: (event) => events.push(event),
    error: (err) => (failed = err),
  });
  const headers = new Headers({ "content-type": "text/event-stream" });
  response.next({ type: "headers", status: 200, headers });
  response.next({ type: "data", data: new TextEncoder().encode(body) });
  response.complete();
  if (failed) throw failed;
  return events;
}
