// The socket of a table (docs/socket.md): hello, numbered events without gaps, commands with keys.
// After a lost connection it reconnects, resumes after the last known event, and resends unanswered
// commands with the same key.

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

/** State of the connection. `shut` reconnects only on request. */
export type Link =
  | { kind: "connecting" }
  | { kind: "open"; back: boolean } // back: after a lost connection
  | { kind: "lost"; again: number; restart: boolean } // again: time of the next attempt in milliseconds
  | { kind: "shut"; why: Shut; reason: string };

export type Shut = "elsewhere" | "refused" | "version";

export interface Listener {
  onSnapshot(message: Snapshot): void;
  /** `missed`: the events happened while the connection was lost. */
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
  later(ms: number, act: () => void): () => void; // returns a function that cancels it
  key(): string;
}

const NOT_ALLOWED = 4003;
const OTHER_WINDOW = 4010;
const OTHER_VERSION = 4015;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const UNANSWERED = 6_000; // milliseconds before a silent connection counts as dead
const LATE = 2_000; // milliseconds after a prompt's time is up before its silence is suspicious
const ASK_AGAIN = 1_500; // delay before asking again whether a command was applied
const RENEW_BEFORE = 45_000; // milliseconds before the connection's token expires
const LONGEST_TIMER = 2 ** 31 - 1; // the longest delay a browser timer supports

// Commands that don't answer a prompt; they include the time they were sent instead.
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
  n: number | null = null; // the last known event
  #connection: Connection | null = null;
  #pending = new Map<string, Pending>();
  #failures = 0;
  #refusals = 0;
  #greeted = false; // whether this connection has received anything yet
  #wasLost = false;
  #retry = 0; // retry delay requested by the server, in milliseconds
  #undoWait: (() => void) | null = null;
  #undoRenewal: (() => void) | null = null;
  #goodUntil: number | null = null; // expiry of the connection's token
  #until: number | null = null; // when the time of the current prompt is up
  #undoProbe: (() => void) | null = null;
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

  /** Reconnect now instead of waiting, even if the seat is being played elsewhere. */
  tryNow(): void {
    this.#failures = 0;
    void this.connect();
  }

  /** Check that a player's connection hasn't died silently: it must answer another hello. */
  async probe(): Promise<void> {
    const connection = this.#connection;
    if (!connection || !this.#greeted || !(await this.#renew(connection))) return;
    this.#undoProbe?.();
    this.#undoProbe = this.environment.later(UNANSWERED, () => this.#drop(connection));
  }

  end(): void {
    this.#ended = true;
    this.#undoWait?.();
    this.#undoRenewal?.();
    this.#undoProbe?.();
    for (const pending of this.#pending.values()) pending.stopWatch();
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
  }

  /** Settles when the server has answered, however often the connection is lost in between. */
  send(command: WireCommand, ask: number | null): Promise<Answer> {
    const message: CommandMessage = { type: "command", key: this.environment.key(), command };
    if (UNASKED.has(command.command)) message.sent = this.environment.now();
    else if (ask !== null) message.ask = ask;
    return new Promise((tell) => {
      this.#pending.set(message.key, { message, tell, stopWatch: () => undefined });
      if (this.#greeted) this.#give(message.key);
    });
  }

  // --- connection ---

  #hello(connection: Connection, token: string | null): void {
    if (this.#connection !== connection) return;
    const hello: ClientMessage = { type: "hello" };
    if (token) hello.token = token;
    if (this.n !== null) hello.from = this.n;
    connection.send(JSON.stringify(hello));
  }

  /** The first message from the server: the connection works, so resend unanswered commands. */
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

  /** The server doesn't know yet whether the command was applied: send it again after a delay. */
  #askAgain(key: string): void {
    const pending = this.#pending.get(key);
    if (!pending) return;
    pending.stopWatch();
    pending.stopWatch = this.environment.later(ASK_AGAIN, () => this.#give(key));
  }

  /** Drop a connection that is silent or has skipped events. */
  #drop(connection: Connection): void {
    if (this.#connection !== connection) return;
    connection.close();
    this.#closed(0, "");
  }

  #closed(code: number, reason: string): void {
    this.#connection = null;
    this.#goodUntil = null;
    this.#undoRenewal?.();
    this.#undoProbe?.();
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
    if ("ask" in message) this.#until = message.ask?.until ?? null;
    this.#expect();
    if (!this.#greeted) this.#greet();
  }

  /** The connection works. The server will speak again when the prompt's time is up. */
  #expect(): void {
    this.#undoProbe?.();
    if (this.#until === null) return;
    const wait = this.#until + LATE - this.environment.now();
    if (wait > 0 && wait < LONGEST_TIMER) this.#undoProbe = this.environment.later(wait, () => void this.probe());
  }

  /** A connection ends when its token expires, so say hello with a new token in time. */
  #renewBefore(until: number | null): void {
    if (until === null || until === this.#goodUntil) return;
    this.#goodUntil = until;
    this.#undoRenewal?.();
    const wait = Math.max(0, until - this.environment.now() - RENEW_BEFORE);
    if (wait > LONGEST_TIMER) return;
    this.#undoRenewal = this.environment.later(wait, () => void this.#renew(this.#connection));
  }

  /** Returns whether a hello was sent. */
  async #renew(connection: Connection | null): Promise<boolean> {
    const token = await this.environment.token();
    if (!token || !connection || this.#connection !== connection) return false;
    connection.send(JSON.stringify({ type: "hello", token }));
    return true;
  }

  /** Returns false if the message skips events, which restarts the connection. */
  #take(message: EventsMessage, missed: boolean): boolean {
    const last = this.n ?? 0;
    if (message.n > last + 1) {
      if (this.#connection) this.#drop(this.#connection);
      return false;
    }
    const known = last + 1 - message.n;
    if (known >= message.events.length) return true; // already known
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

/** Open a WebSocket to the table. */
export function connectTo(table: number): Connection {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}/tables/${table}/live`, "ventiuna.1") as Connection;
}
