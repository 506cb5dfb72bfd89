// Check that a shoe is the one the house committed to and that every card was dealt in order.

import { code } from "../../lib/cards";
import { commitmentOf, cutCommitment, fromHex, mixOf, toHex, type Bytes } from "./recipe";
import { DealtShoe, NoSuchHand, OutOfCards } from "./shoe";
import type { RecordData, RecordEvent } from "../../wire";

export const STEPS = ["commitment", "cuts", "mix", "order", "cards", "ending"] as const;
export type StepName = (typeof STEPS)[number];

/** Figures calculated by a step, for its message. */
export interface Found {
  opened?: number;
  withheld?: number;
  cards?: number;
  rounds?: number;
  reshuffles?: number;
  ended?: RecordData["ended"];
  value?: string; // the calculated value, as hexadecimal digits or cards
}

/** A contradiction in a record. */
export interface Fault {
  code:
    | "format"
    | "commitment"
    | "cut"
    | "mix"
    | "after_cut_card"
    | "card"
    | "down_card"
    | "out_of_cards"
    | "no_such_hand"
    | "reshuffles"
    | "not_finished"
    | "void_before_end"
    | "ending"
    | "before_cut_card";
  seat?: number;
  round?: number;
  card?: number; // index of the card in the round
  ofShoe?: number;
  record?: string;
  shoe?: string;
}

export interface Step {
  name: StepName;
  found?: Found;
  fault?: Fault;
}

const MOST_RESHUFFLES = 100;
const SECRET = 64; // length in hexadecimal digits

class Wrong extends Error {
  constructor(readonly fault: Fault) {
    super(fault.code);
  }
}

/** Yield each step as it is checked. If there is a fault, it is in the last step. */
export async function* verify(record: RecordData): AsyncGenerator<Step> {
  const work = new Work(record);
  for (const name of STEPS) {
    try {
      yield { name, found: await work[name]() };
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      yield { name, fault: error.fault };
      return;
    }
  }
}

class Work {
  #commitment: Bytes = new Uint8Array(0);
  #mix: Bytes = new Uint8Array(0);
  #shoe: DealtShoe | null = null;

  constructor(private readonly record: RecordData) {}

  async commitment(): Promise<Found> {
    const { record } = this;
    const hashes = [record.commitment, record.mix, record.seed];
    const isKnown = record.format === "ventiuna-shoe-record-1" && record.recipe === "ventiuna-shoe-1";
    if (!isKnown || !hashes.every((hash) => hash.length === SECRET)) throw new Wrong({ code: "format" });
    const made = toHex(await commitmentOf(record.context, fromHex(record.seed)));
    if (made !== record.commitment) throw new Wrong({ code: "commitment" });
    this.#commitment = fromHex(made);
    return { value: made };
  }

  async cuts(): Promise<Found> {
    let opened = 0;
    for (const cut of this.record.cuts) {
      if (cut.value === null) continue;
      const made = toHex(await cutCommitment(this.#commitment, cut.seat, fromHex(cut.value)));
      if (made !== cut.commitment) throw new Wrong({ code: "cut", seat: cut.seat });
      opened += 1;
    }
    return { opened, withheld: this.record.cuts.length - opened };
  }

  async mix(): Promise<Found> {
    const opened = this.record.cuts.flatMap((cut) => (cut.value === null ? [] : [{ seat: cut.seat, value: fromHex(cut.value) }]));
    this.#mix = await mixOf(this.#commitment, opened);
    const made = toHex(this.#mix);
    if (made !== this.record.mix) throw new Wrong({ code: "mix" });
    return { value: made };
  }

  async order(): Promise<Found> {
    this.#shoe = await DealtShoe.of(this.record.context, fromHex(this.record.seed), this.#mix);
    const first = this.#shoe.cards.slice(this.record.context.burn, this.record.context.burn + 10);
    return { cards: this.#shoe.cards.length, value: first.map(code).join(" ") };
  }

  async cards(): Promise<Found> {
    const shoe = this.#shoe as DealtShoe;
    for (const { number, events } of this.record.rounds) {
      if (!shoe.beginRound()) throw new Wrong({ code: "after_cut_card", round: number });
      await this.#deal(shoe, number, events);
    }
    return { cards: shoe.dealt, rounds: this.record.rounds.length, reshuffles: shoe.reshuffles };
  }

  async #deal(shoe: DealtShoe, round: number, events: RecordEvent[]): Promise<void> {
    let down: number | null | undefined;
    let card = 0;
    for (const event of events) {
      if (event.event === "CardDealt") {
        card += 1;
        await this.#draw(shoe, event, round, card);
        if (event.place === "down") down = event.card;
      } else if (event.event === "DownCardExposed" && event.card !== down) throw new Wrong({ code: "down_card", round });
      else if (event.event === "HandSplit" || event.event === "HandRemoved") shoe.follow(event);
    }
  }

  async #draw(shoe: DealtShoe, event: RecordEvent, round: number, card: number): Promise<void> {
    let drawn: number;
    try {
      drawn = await shoe.draw(event);
    } catch (error) {
      if (error instanceof OutOfCards) throw new Wrong({ code: "out_of_cards", round, card });
      if (error instanceof NoSuchHand) throw new Wrong({ code: "no_such_hand", round, card });
      throw error;
    }
    if (shoe.reshuffles > MOST_RESHUFFLES) throw new Wrong({ code: "reshuffles", round, card });
    if (drawn !== event.card) {
      const told = typeof event.card === "number" ? code(event.card) : "?";
      throw new Wrong({ code: "card", round, card, ofShoe: shoe.dealt, record: told, shoe: code(drawn) });
    }
  }

  /** Check that every round was finished and that the shoe wasn't revealed or abandoned early. */
  async ending(): Promise<Found> {
    const { rounds, ended } = this.record;
    const isVoid = (events: RecordEvent[]) => events.some((event) => event.event === "RoundVoided");
    for (const { number, events } of rounds) {
      const isOver = isVoid(events) || events.some((event) => event.event === "StageReached" && event.stage === "closed");
      if (!isOver) throw new Wrong({ code: "not_finished", round: number });
    }
    const firstVoid = rounds.find((round) => isVoid(round.events));
    const last = rounds.at(-1);
    if (firstVoid && firstVoid !== last) throw new Wrong({ code: "void_before_end", round: firstVoid.number });
    if (Boolean(firstVoid) !== (ended === "void")) throw new Wrong({ code: "ending", ...(last ? { round: last.number } : {}) });
    if (ended === "cut_card" && !this.#shoe?.cutCardCame) throw new Wrong({ code: "before_cut_card" });
    return { ended };
  }
}
