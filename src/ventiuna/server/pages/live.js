// The socket of a table: what happens comes in numbered messages, commands go out under keys.

import { commitment, hex, random } from "/pages/cut.js";

const AGAIN_AFTER = 1500; // milliseconds
const GATHER = 120;
const OTHER_CLIENT = 4010;
const NOT_ALLOWED = 4003;

export class Live {
  constructor(table, session, on) {
    this.table = table;
    this.session = session;
    this.on = on;
    this.n = 0; // the last event known
    this.view = null; // the table as the server shows it
    this.ask = null;
    this.you = null;
    this.meters = new Map();
    this.waiting = new Map(); // what to do with an answer, by key
    this.cuts = new Map(); // what was answered to which ask
    this.told = 0;
  }

  async connect() {
    const token = await this.session.token();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const address = `${scheme}//${location.host}/tables/${this.table}/live`;
    this.socket = new WebSocket(address, "ventiuna.1");
    this.socket.onopen = () => {
      const hello = { type: "hello" };
      if (token) hello.token = token;
      if (this.n && this.view) hello.from = this.n;
      this.socket.send(JSON.stringify(hello));
    };
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = (event) => this.closed(event);
  }

  closed(event) {
    this.waiting.clear();
    if (event.code === OTHER_CLIENT) {
      this.on.notice("Your seat is played from another window now. Reload to play it here.");
    } else if (event.code === NOT_ALLOWED) {
      this.on.notice(event.reason || "The house does not let you in.");
    } else {
      this.on.notice("The connection is lost; trying again…");
      setTimeout(() => this.connect(), AGAIN_AFTER);
    }
  }

  receive(message) {
    if (message.type === "snapshot") {
      this.on.notice("");
      this.view = message;
      this.n = message.n;
      this.ask = message.ask;
      this.moved(true);
    } else if (message.type === "events") {
      if (this.n && message.n !== this.n + 1) return this.socket.close(); // a gap: say hello again
      this.on.notice("");
      this.n = message.n + message.events.length - 1;
      this.ask = message.ask;
      this.moved(false);
    } else if (message.type === "you") {
      this.you = message;
      this.on.changed();
      this.cut();
    } else if (message.type === "meter") {
      this.meters.set(message.jackpot, message.cents);
      this.on.meters();
    } else if (message.type === "done" || message.type === "refused") {
      const then = this.waiting.get(message.key);
      this.waiting.delete(message.key);
      if (message.type === "refused") this.on.notice(message.reason);
      else this.on.notice("");
      then?.(message);
    } else if (message.type === "bye") {
      this.on.notice("The house restarts and is back in a moment.");
    }
  }

  // Something has changed: fetch the view and the sentences, once for what comes together.
  moved(hasView) {
    this.cut();
    if (hasView) this.on.changed();
    if (this.gathering) return;
    this.gathering = true;
    setTimeout(async () => {
      this.gathering = false;
      await this.look();
    }, GATHER);
  }

  async look() {
    const view = await this.session.ask("GET", `/tables/${this.table}`, undefined, this.on.notice);
    if (view && view.n >= (this.view?.n ?? 0)) {
      this.view = view;
      if (view.n >= this.n) this.ask = view.ask;
    }
    const address = `/tables/${this.table}/story?after=${this.told}`;
    const story = await this.session.ask("GET", address, undefined, this.on.notice);
    if (story && story.n > this.told) {
      this.told = story.n;
      this.on.told(story.lines);
    }
    this.on.changed();
  }

  // The own seat as the table shows it.
  get seat() {
    return this.view?.seats.find((seat) => seat.person === this.you?.person) ?? null;
  }

  // --- commands ---

  send(command, then) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const key = crypto.randomUUID();
    this.waiting.set(key, then);
    const message = { type: "command", key, command };
    if (this.ask) message.ask = this.ask.n;
    this.socket.send(JSON.stringify(message));
  }

  // --- the cut: committed and opened without a click, with chance of this browser ---

  async cut() {
    const { ask, view, you } = this;
    const seat = this.seat?.seat ?? you?.seat;
    if (!ask || !seat || !view || this.cuts.get(ask.n)) return;
    if (ask.kind === "cut_commit") {
      const committed = view.shoe?.next_commitment;
      if (!committed) return;
      this.cuts.set(ask.n, true);
      const value = random();
      sessionStorage.setItem(`ventiuna.cut.${committed}`, hex(value));
      const mine = await commitment(committed, seat, value);
      this.send({ command: "CommitCut", commitment: mine }, (answer) => {
        if (answer.code === "cut_barred") this.send({ command: "Ready" });
      });
    } else if (ask.kind === "cut_open") {
      const value = sessionStorage.getItem(`ventiuna.cut.${view.shoe?.next_commitment}`);
      if (!value) return;
      this.cuts.set(ask.n, true);
      this.send({ command: "OpenCut", value });
    }
  }
}
