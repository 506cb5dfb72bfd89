// The socket of a table (docs/socket.md): hello, numbered events without gaps, commands under keys.
// A lost connection comes back by itself, resumes behind the last event it knows, and sends what
// had no answer again under the same key.

import type {
  ClientMessage,
  CommandMessage,
  DoneMessage,
  EventsMessage,
  HoldsMessage,
  MeterMessage,
  RefusedMessage,
  ServerMessage,
  Snapshot,
  WatchersMessage,
  WireCommand,
  You,
} from "../wire";

export type Answer = DoneMessage | RefusedMessage;

/** How the line is: `shut` comes back only when somebody asks for it. */
export type Link =
  | { kind: "connecting" }
  | { kind: "open"; back: boolean } // back: it was lost before
  | { kind: "lost"; again: number; restart: boolean } // when it is tried again, milliseconds
  | { kind: "shut"; why: Shut; reason: string };

export type Shut = "elsewhere" | "refused" | "version";

export interface Listener {
  onSnapshot(message: Snapshot): void;
  /** `missed`: what happened while the line was lost. */
  onEvents(message: EventsMessage, missed: boolean): void;
  onYou(message: You): void;
  onMeter(message: MeterMessage): void;
  onWatchers(message: WatchersMessage): void;
  onHolds(message: HoldsMessage): void;
  onLink(link: Link): void;
}

export interface Connection {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

export interface Environment {
  open(): Connection;
  token(): Promise<string | null>;
  now(): number;
  later(ms: number, act: () => void): () => void; // undoes it
  key(): string;
}

const NOT_ALLOWED = 4003;
const OTHER_WINDOW = 4010;
const OTHER_VERSION = 4015;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const UNANSWERED = 6_000; // then the line is taken for dead
const ASK_AGAIN = 1_500; // delay while the house can't tell whether a command was carried out
const RENEW_BEFORE = 45_000; // milliseconds before the end of the line's token
const LONGEST_TIMER = 2 ** 31 - 1; // that a browser waits for

// Commands that answer nothing: they name when they were sent instead of an ask.
const UNASKED = new Set<WireCommand["command"]>([
  "TakeSeat",
  "ChooseSpots",
  "BuyChips",
  "CashOut",
  "LeaveSeat",
  "ComeBack",
]);

interface Pending {
  message: CommandMessage;
  tell: (answer: Answer) => void;
  stopWatch: () => void;
}

export class TableSocket {
  n: number | null = null; // the last event that is known
  #connection: Connection | null = null;
  #pending = new Map<string, Pending>();
  #failures = 0;
  #refusals = 0;
  #greeted = false; // has this line said anything yet?
  #wasLost = false;
  #retry = 0; // milliseconds that the server asked for
  #undoWait: (() => void) | null = null;
  #undoRenewal: (() => void) | null = null;
  #goodUntil: number | null = null; // the line's token
  #ended = false;

  constructor(
    private readonly environment: Environment,
    private readonly listener: Listener,
  ) {}

  async connect(): Promise<void> {
    this.#undoWait?.();
    this.#undoWait = null;
    if (this.#ended || this.#connection) return;
    if (!this.#wasLost) this.listener.onLink({ kind: "connecting" });
    const connection = this.environment.open();
    this.#connection = connection;
    this.#greeted = false;
    const token = this.environment.token();
    connection.onopen = () => void token.then((found) => this.#hello(connection, found));
    connection.onmessage = (event) => this.#connection === connection && this.#receive(JSON.parse(event.data) as ServerMessage);
    connection.onclose = (event) => this.#connection === connection && this.#closed(event.code, event.reason);
  }

  /** Now, not after the wait; also where the seat was played elsewhere. */
  tryNow(): void {
    this.#failures = 0;
    void this.connect();
  }

  end(): void {
    this.#ended = true;
    this.#undoWait?.();
    this.#undoRenewal?.();
    for (const pending of this.#pending.values()) pending.stopWatch();
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
  }

  /** Settles when the server has answered, however often the line is lost in between. */
  send(command: WireCommand, ask: number | null): Promise<Answer> {
    const message: CommandMessage = { type: "command", key: this.environment.key(), command };
    if (UNASKED.has(command.command)) message.sent = this.environment.now();
    else if (ask !== null) message.ask = ask;
    return new Promise((tell) => {
      this.#pending.set(message.key, { message, tell, stopWatch: () => undefined });
      if (this.#greeted) this.#give(message.key);
    });
  }

  // --- the line ---

  #hello(connection: Connection, token: string | null): void {
    if (this.#connection !== connection) return;
    const hello: ClientMessage = { type: "hello" };
    if (token) hello.token = token;
    if (this.n !== null) hello.from = this.n;
    connection.send(JSON.stringify(hello));
  }

  /** The first word of the server: the line is good, and what had no answer is sent again. */
  #greet(): void {
    this.#greeted = true;
    this.#failures = 0;
    this.#refusals = 0;
    this.listener.onLink({ kind: "open", back: this.#wasLost });
    this.#wasLost = false;
    for (const key of this.#pending.keys()) this.#give(key);
  }

  #give(key: string): void {
    const pending = this.#pending.get(key);
    if (!pending || !this.#connection) return;
    this.#connection.send(JSON.stringify(pending.message));
    pending.stopWatch();
    const connection = this.#connection;
    pending.stopWatch = this.environment.later(UNANSWERED, () => this.#drop(connection));
  }

  /** The house can't tell what happened to the command: send it again after a delay. */
  #askAgain(key: string): void {
    const pending = this.#pending.get(key);
    if (!pending) return;
    pending.stopWatch();
    pending.stopWatch = this.environment.later(ASK_AGAIN, () => this.#give(key));
  }

  /** A line that answers nothing, or has left something out. */
  #drop(connection: Connection): void {
    if (this.#connection !== connection) return;
    connection.close();
    this.#closed(0, "");
  }

  #closed(code: number, reason: string): void {
    this.#connection = null;
    this.#goodUntil = null;
    this.#undoRenewal?.();
    for (const pending of this.#pending.values()) pending.stopWatch();
    if (this.#ended) return;
    if (code === OTHER_WINDOW) return this.#shut("elsewhere", reason);
    if (code === OTHER_VERSION) return this.#shut("version", reason);
    if (code === NOT_ALLOWED && ++this.#refusals > 1) return this.#shut("refused", reason);
    const wait = this.#retry || Math.min(FIRST_WAIT * 2 ** this.#failures, LONGEST_WAIT);
    this.#failures += 1;
    this.#wasLost = true;
    this.listener.onLink({ kind: "lost", again: this.environment.now() + wait, restart: this.#retry > 0 });
    this.#retry = 0;
    this.#undoWait = this.environment.later(wait, () => void this.connect());
  }

  #shut(why: Shut, reason: string): void {
    this.#wasLost = true;
    this.listener.onLink({ kind: "shut", why, reason });
  }

  // --- messages ---

  #receive(message: ServerMessage): void {
    const missed = this.#wasLost && !this.#greeted;
    switch (message.type) {
      case "bye":
        this.#retry = message.retry_ms;
        return;
      case "snapshot":
        this.n = message.n;
        this.listener.onSnapshot(message);
        break;
      case "events":
        if (!this.#take(message, missed)) return;
        break;
      case "done":
      case "refused":
        this.#answered(message);
        break;
      case "unknown":
        this.#askAgain(message.key);
        break;
      case "you":
        this.#renewBefore(message.token_until);
        this.listener.onYou(message);
        break;
      case "meter":
        this.listener.onMeter(message);
        break;
      case "watchers":
        this.listener.onWatchers(message);
        break;
      case "holds":
        this.listener.onHolds(message);
        break;
    }
    if (!this.#greeted) this.#greet();
  }

  /** A line ends with its token, so it says hello again with a new one in time. */
  #renewBefore(until: number | null): void {
    if (until === null || until === this.#goodUntil) return;
    this.#goodUntil = until;
    this.#undoRenewal?.();
    const wait = Math.max(0, until - this.environment.now() - RENEW_BEFORE);
    if (wait > LONGEST_TIMER) return;
    this.#undoRenewal = this.environment.later(wait, () => void this.#renew(this.#connection));
  }

  async #renew(connection: Connection | null): Promise<void> {
    const token = await this.environment.token();
    if (token && connection && this.#connection === connection) connection.send(JSON.stringify({ type: "hello", token }));
  }

  /** False where the message leaves something out: then the line begins again. */
  #take(message: EventsMessage, missed: boolean): boolean {
    const last = this.n ?? 0;
    if (message.n > last + 1) {
      if (this.#connection) this.#drop(this.#connection);
      return false;
    }
    const known = last + 1 - message.n;
    if (known >= message.events.length) return true; // heard before
    this.n = message.n + message.events.length - 1;
    this.listener.onEvents(known ? behind(message, known) : message, missed);
    return true;
  }

  #answered(answer: Answer): void {
    const pending = this.#pending.get(answer.key);
    if (!pending) return;
    this.#pending.delete(answer.key);
    pending.stopWatch();
    pending.tell(answer);
  }
}

/** The message without its first events. */
function behind(message: EventsMessage, known: number): EventsMessage {
  return {
    ...message,
    n: message.n + known,
    events: message.events.slice(known),
    told: message.told.slice(known),
    after: message.after.slice(known),
  };
}

/** A socket of this browser to that table. */
export function connectTo(table: number): Connection {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}/tables/${table}/live`, "ventiuna.1") as Connection;
}
