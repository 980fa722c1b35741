// Runs the official AG-UI client for the Go tests in this directory.
//
// Standard input holds one JSON request a line: {"id", "verb", ...}. Each gets one JSON line on
// standard output: {"id", "ok": true, ...} with what the verb returns, or {"id", "ok": false, "error"}.
// Requests run concurrently, so answers may come in another order. The process ends with its input.
//
// Another verb is another line in `verbs`: an async function from the request to an object, which
// throws when it cannot do what was asked.
import { AsyncLocalStorage } from "node:async_hooks";
import { createInterface } from "node:readline";
import { format } from "node:util";

import { expand, exploration } from "./explore.mjs";
import { judge, runAgent } from "./judge.mjs";
import { run } from "./run.mjs";
import { members, schema } from "./schema.mjs";

const verbs = { run, judge, runAgent, schema, members, exploration, expand };

// The client reports what it drops or translates through console alone. Those lines belong to the
// request that they were printed for, the first hundred of them, and none may get into the answers on
// standard output.
const request = new AsyncLocalStorage();
for (const level of ["debug", "log", "info", "warn", "error"]) {
  console[level] = (...args) => {
    const warnings = request.getStore();
    if (!warnings) process.stderr.write(format(...args) + "\n");
    else if (warnings.length < 100) warnings.push(format(...args));
  };
}

async function answer({ id, verb, ...params }) {
  const warnings = [];
  try {
    if (!Object.hasOwn(verbs, verb)) {
      throw new Error(`unknown verb ${JSON.stringify(verb)}; known: ${Object.keys(verbs)}`);
    }
    const result = await request.run(warnings, verbs[verb], params);
    return { id, ok: true, ...result, warnings };
  } catch (err) {
    return { id, ok: false, error: err?.stack ?? String(err), warnings };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  answer(JSON.parse(line)).then((reply) => process.stdout.write(JSON.stringify(reply) + "\n"));
}
