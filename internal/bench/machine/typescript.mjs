// Runs sequences of events through the verifier of the official client, for as often as it is told.
//
// The first line of standard input is a JSON array of events. Each further one is "order" or "schemas" and a
// number: how often the whole sequence goes through a new verifier, alone or after the check of the schemas. The
// answer is a line of JSON: the nanoseconds that took, and how many events came out in one pass; or {"error"}.
//
// The time is that on the wall or that of the processors, whichever is less: the one has what other processes
// take, the other what this one does in further threads.
import { enforceEvents, verifyEvents } from "@ag-ui/client";
import { Subject } from "rxjs";
import { createInterface } from "node:readline";

function pass(events, checkSchemas) {
  const source = new Subject();
  const checked = checkSchemas ? enforceEvents()(source) : source;
  let out = 0;
  let failure = null;
  verifyEvents()(checked).subscribe({ next: () => out++, error: (err) => (failure = err) });
  for (const event of events) source.next(event);
  source.complete();
  if (failure) throw failure;
  return out;
}

let events = null;
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (events === null) {
    events = JSON.parse(line);
    continue;
  }
  const [mode, times] = line.split(" ");
  let reply;
  try {
    let out = 0;
    const cpuBegin = process.cpuUsage();
    const begin = process.hrtime.bigint();
    for (let n = Number(times); n > 0; n--) out = pass(events, mode === "schemas");
    const wall = Number(process.hrtime.bigint() - begin);
    const cpu = process.cpuUsage(cpuBegin);
    reply = { ns: Math.min(wall, 1000 * (cpu.user + cpu.system)), out };
  } catch (err) {
    reply = { error: String(err?.stack ?? err) };
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
