import type { EventsMessage, Snapshot } from "../../src/wire";

/** A message to those at the table, and the snapshot for somebody who comes in right then. */
export interface Moment {
  events: EventsMessage;
  snapshot: Snapshot;
}

/** One list of moments for each table. */
export function recordedRounds(): Moment[][];
