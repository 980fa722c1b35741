import { RecordedAgent, client, readStream, verifier } from "./pipeline.mjs";

// judge says what the official client makes of many recorded runs.
//
// It takes one of:
//   sequences   a list of lists of events
//   streams     a list of bodies of SSE responses
// and
//   alone       ask the verifier alone, not the whole client
//   reducer     let the reducer apply the events too, which takes most of the time
//
// It returns verdicts, one for each: {ok: true}, or {ok: false, at, stage, message} with the index of the
// event that failed the run and the stage that failed it.
export async function judge({ sequences, streams, alone, reducer }) {
  const verdicts = [];
  for (const events of sequences ?? streams.map(readStream)) {
    verdicts.push(alone ? verifier(events) : await client(events, reducer));
  }
  return { verdicts };
}

// runAgent gives recorded runs to an agent of the client, which composes the stages itself. It takes
// sequences as judge does, and returns failures: for each the client's message or null.
export async function runAgent({ sequences }) {
  const failures = [];
  for (const events of sequences) {
    const failure = await new RecordedAgent(events).runAgent().then(
      () => null,
      (err) => String(err?.message ?? err),
    );
    failures.push(failure);
  }
  return { failures };
}
