import { enforceEvents } from "@ag-ui/client";
import { EventSchema } from "@ag-ui/core/schemas";
import { EventEncoder } from "@ag-ui/encoder";

import { boundary, feed } from "./pipeline.mjs";

const encoder = new EventEncoder();

// schema says what the official schemas make of events.
//
// It takes texts, a list of JSON texts of one event each, and returns results, for each
//   valid     whether the event's schema takes it as it is
//   accepted  whether the client takes it, which forgives some nulls and drops what it does not know
//   kept      the text of what the client keeps of it, or null
//   frame     the event as the official encoder writes it
//   message   why the client refuses it
export async function schema({ texts }) {
  const results = texts.map((text) => {
    const event = JSON.parse(text);
    const { out, failed } = feed([event], [boundary(), enforceEvents()]);
    return {
      valid: EventSchema.safeParse(event).success,
      accepted: !failed,
      kept: out.length > 0 ? JSON.stringify(out[0]) : null,
      frame: encoder.encode(event),
      message: failed?.message ?? "",
    };
  });
  return { results };
}

// members returns the names of the members that each event's schema describes, by event type.
export async function members() {
  const types = {};
  for (const { shape } of EventSchema.options) types[shape.type.value] = Object.keys(shape);
  return { types };
}
