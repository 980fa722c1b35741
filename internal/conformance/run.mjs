import { HttpAgent } from "@ag-ui/client";

// run sends one request to an agent and follows its stream to the end, as a front end does.
//
// Besides the members of a RunAgentInput (threadId, runId, messages, state, tools, context,
// forwardedProps, resume) it takes:
//   url         where the agent is
//   interrupts  the interrupts that the thread waits for: the client then holds resume against them
//   abortAfter  leave after so many events
//
// It returns:
//   error       why the client failed the run, or null; a RUN_ERROR is an event, not a failure
//   events      what the client's pipeline let through, chunks expanded
//   messages, state, interrupts   what the client holds afterwards
//   result      the result of the run
//   pending     the tool calls that the run left to the front end, or null without a RUN_FINISHED
export async function run(params) {
  const { url, threadId, messages, state, interrupts, abortAfter, ...parameters } = params;
  const agent = new HttpAgent({ url, threadId, initialMessages: messages, initialState: state });
  agent.pendingInterrupts = interrupts ?? [];

  const events = [];
  let pending = null;
  const subscriber = {
    onEvent({ event }) {
      events.push(event);
      if (events.length === abortAfter) agent.abortRun();
    },
    onRunFinishedEvent({ outcome, pendingToolCallIds }) {
      if (outcome === "success") pending = pendingToolCallIds;
    },
  };

  let error = null;
  let result = null;
  try {
    ({ result = null } = await agent.runAgent(parameters, subscriber));
  } catch (err) {
    error = String(err?.message ?? err);
  }
  return {
    error,
    events,
    messages: agent.messages,
    state: agent.state,
    interrupts: agent.pendingInterrupts,
    result,
    pending,
  };
}
