import type { EventsMessage, Snapshot } from "../../src/wire";

/** A message to people at the table, and the snapshot for someone who joins at that moment. */
export interface Moment {
  events: EventsMessage;
  snapshot: Snapshot;
}

/** One list of moments per table. */
export function recordedRounds(): Moment[][];
