import { enforceEvents, transformChunks, verifyEvents } from "@ag-ui/client";
import { Subject } from "rxjs";

import { boundary, feed } from "./pipeline.mjs";

// The exhaustive search needs the client's machine in any state and its state as a text. The machine is
// the expansion of chunks and the verifier, or the verifier alone; the stages before them look at one event
// at a time and are asked once for each event. While a run is active, all that the machine remembers is in
// the maps and sets that its operators make when they are put together (its few flags do not change between
// RUN_STARTED and the terminal event). They are caught as they are made, so that a state can be read, and
// put back.

// catching runs make and returns the maps and sets that it makes.
function catching(make) {
  const caught = [];
  const { Map, Set } = globalThis;
  const catcher = (Store) =>
    function (...args) {
      const store = new Store(...args);
      caught.push(store);
      return store;
    };
  globalThis.Map = catcher(Map);
  globalThis.Set = catcher(Set);
  try {
    make();
  } finally {
    Object.assign(globalThis, { Map, Set });
  }
  return caught;
}

// reusable stands for the source when an operator is put together. It gives a function from a source to
// the operator's stream, which can be used again when a refused event has ended the stream: what the
// operator remembers stays.
const reusable = { pipe: (...operators) => (source) => source.pipe(...operators) };

class Machine {
  constructor(start) {
    this.memory = catching(() => {
      const operators = alone ? [verifyEvents()] : [transformChunks(), verifyEvents()];
      this.stages = operators.map((operator) => operator(reusable));
    });
    if (this.memory.length !== (alone ? 11 : 12)) {
      throw new Error(`the client remembers in ${this.memory.length} maps and sets: see whether the search still knows all of them`);
    }
    this.connect();
    if (!this.accepts(start)) throw new Error(`a run cannot start with ${JSON.stringify(start)}`);
  }

  connect() {
    this.failed = false;
    this.source = new Subject();
    this.stages.reduce((stream, stage) => stage(stream), this.source).subscribe({ error: () => (this.failed = true) });
  }

  // accepts puts event in and says whether it passes. If not, the state is void: load another.
  accepts(event) {
    this.source.next(event);
    if (!this.failed) return true;
    this.connect();
    return false;
  }

  // save returns the state for load.
  save() {
    return this.memory.map((store) => [...store].map((entry) => copied(entry)));
  }

  load(saved) {
    saved.forEach((entries, i) => {
      const store = this.memory[i];
      if (store.size > 0) store.clear();
      for (const entry of entries) {
        const fresh = copied(entry);
        if (Array.isArray(fresh)) store.set(...fresh);
        else store.add(fresh);
      }
    });
  }

  // text returns the state as a text: the entries of each map and set, those of one store apart by ";" and
  // the stores by "|". Only ids and tags have small letters.
  text() {
    return this.memory.map((store) => entriesOf(store).join(";")).join("|");
  }
}

// copied copies an entry of a store: a key, or a key and its value. Values are never changed by the machine
// but for the steps, which are maps of their own.
function copied(entry) {
  if (!Array.isArray(entry)) return entry;
  const [key, value] = entry;
  return [key, value instanceof Map ? new Map(value) : value];
}

// entriesOf returns the entries of a store as words, those of a map within it each by itself.
function entriesOf(store) {
  const entries = [];
  for (const entry of store) {
    if (!Array.isArray(entry)) entries.push(word(entry));
    else if (entry[1] instanceof Map) for (const key of entry[1].keys()) entries.push(`${word(entry[0])}:${word(key)}`);
    else entries.push(`${word(entry[0])}:${word(entry[1])}`);
  }
  return entries;
}

function word(value) {
  if (value === undefined) return "-";
  if (typeof value === "string") return value.length === 1 ? value : value.toUpperCase();
  if (typeof value === "boolean") return value ? "1" : "0";
  return `{${Object.keys(value).sort().map((name) => `${name.toUpperCase()}=${word(value[name])}`).join()}}`;
}

let letters = []; // what the stages before the machine make of the events of the search: a value or null
let alone = false;
let starts = []; // the state after each event that may start a run

// exploration prepares a search: events are those of the search, runs the ones that start a run, alone says
// to leave the expansion of chunks out.
export async function exploration(params) {
  alone = params.alone;
  const before = alone ? [] : [boundary(), enforceEvents()];
  const made = (event) => {
    const { out, failed } = before.length > 0 ? feed([event], before) : { out: [event], failed: null };
    return { refused: failed !== null, event: out[0] };
  };
  letters = params.events.map(made);
  starts = params.runs.map((event) => {
    const start = made(event).event;
    return { event: start, saved: new Machine(start).save() };
  });
  return {};
}

// expand tries every event in every state. It takes paths, each a list of numbers: of the run's start, then
// of events. For each it returns
//   accepts  a string with a 1 for each event that is accepted, 0 for the others
//   states   the texts of the states that occur, the first of them the path's own
//   next     for each accepted event, in order, the number of the state after it, -1 when the run is over
export async function expand({ paths }) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // most events are refused, and nobody looks at the stack
  try {
    return { results: paths.map(expanded) };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function expanded([run, ...path]) {
  let machine = null;
  const fresh = (start) => {
    if (!machine || machine.over) machine = new Machine(start.event);
    machine.load(start.saved);
  };
  fresh(starts[run]);
  for (const n of path) {
    if (letters[n].event && !machine.accepts(letters[n].event)) throw new Error(`path ${path}: event ${n} is refused`);
  }
  const here = { event: starts[run].event, saved: machine.save() };
  const numbers = new Map([[machine.text(), 0]]);
  const next = [];
  let accepts = "";
  for (const { refused, event } of letters) {
    if (refused) {
      accepts += "0";
      continue;
    }
    if (!event) {
      accepts += "1";
      next.push(0);
      continue;
    }
    fresh(here);
    if (!machine.accepts(event)) {
      accepts += "0";
      continue;
    }
    accepts += "1";
    if (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR") {
      machine.over = true;
      next.push(-1);
      continue;
    }
    const text = machine.text();
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    next.push(numbers.get(text));
  }
  return { accepts, states: [...numbers.keys()], next };
}
