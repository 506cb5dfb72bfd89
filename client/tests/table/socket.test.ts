import { describe, expect, it } from "vitest";
import { TableSocket, type Environment, type Listener, type Connection, type Link } from "../../src/table/socket";
import type { EventsMessage, Snapshot } from "../../src/wire";
import { events, snapshot } from "./wire";

class FakeConnection implements Connection {
  onopen: Connection["onopen"] = null;
  onmessage: Connection["onmessage"] = null;
  onclose: Connection["onclose"] = null;
  said: Record<string, unknown>[] = [];
  isClosed = false;
  send(text: string): void {
    this.said.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.isClosed = true;
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function begin(token: string | null = "a token") {
  const lines: FakeConnection[] = [];
  const waits: { ms: number; act: () => void; undone: boolean }[] = [];
  const heard = { snapshots: [] as Snapshot[], events: [] as [EventsMessage, boolean][], links: [] as Link[] };
  let keys = 0;
  const environment: Environment = {
    open: () => {
      const connection = new FakeConnection();
      lines.push(connection);
      return connection;
    },
    token: () => Promise.resolve(token),
    now: () => 1_000,
    later: (ms, act) => {
      const wait = { ms, act, undone: false };
      waits.push(wait);
      return () => (wait.undone = true);
    },
    key: () => `key ${++keys}`,
  };
  const listener: Listener = {
    onSnapshot: (message) => heard.snapshots.push(message),
    onEvents: (message, missed) => heard.events.push([message, missed]),
    onYou: () => undefined,
    onMeter: () => undefined,
    onWatchers: () => undefined,
    onHolds: () => undefined,
    onLink: (link) => heard.links.push(link),
  };
  const socket = new TableSocket(environment, listener);
  const opened = async (): Promise<FakeConnection> => {
    const connection = lines.at(-1) as FakeConnection;
    connection.onopen?.();
    await Promise.resolve();
    await Promise.resolve();
    return connection;
  };
  const go = (): void => waits.filter((wait) => !wait.undone).at(-1)?.act();
  return { socket, lines, heard, opened, go, waits };
}

const hit = { event: "HandHit", spot: 3, hand: 0 } as const;

describe("the socket of a table", () => {
  it("says hello once with a new token before the old one expires", async () => {
    const { socket, opened, waits } = begin();
    void socket.connect();
    const connection = await opened();
    connection.hear(snapshot(412));
    const you = { type: "you", person: "1", seat: null, client: null, stack: 0, wallet: 0 };
    connection.hear({ ...you, token_until: 901_000 });
    connection.hear({ ...you, token_until: 901_000 });
    const renewals = waits.filter((wait) => !wait.undone && wait.ms === 855_000);
    expect(renewals).toHaveLength(1);
    renewals[0]?.act();
    await Promise.resolve();
    await Promise.resolve();
    expect(connection.said.slice(1)).toEqual([{ type: "hello", token: "a token" }]);
    connection.hear({ ...you, token_until: 1_801_000 });
    expect(renewals[0]?.undone).toBe(true);
  });

  it("drops a connection that stays silent after a prompt's time is up", async () => {
    const { socket, opened, heard, waits } = begin();
    const next = () => waits.filter((wait) => !wait.undone);
    void socket.connect();
    const connection = await opened();
    const shown = snapshot(412);
    connection.hear({ ...shown, ask: { ...shown.ask, until: 21_000 } });
    const [overdue] = next();
    expect(overdue?.ms).toBe(22_000);
    overdue?.act();
    await Promise.resolve();
    await Promise.resolve();
    expect(connection.said.at(-1)).toEqual({ type: "hello", token: "a token" });
    await Promise.resolve();
    const silent = next().at(-1);
    silent?.act();
    expect(connection.isClosed).toBe(true);
    expect(heard.links.at(-1)?.kind).toBe("lost");
  });

  it("keeps a connection that answers", async () => {
    const { socket, opened, waits } = begin();
    void socket.connect();
    const connection = await opened();
    connection.hear(snapshot(412));
    await socket.probe();
    connection.hear({ type: "you", person: "1", seat: null, client: null, stack: 0, wallet: 0, token_until: null });
    expect(waits.every((wait) => wait.undone)).toBe(true);
    const spectator = begin(null);
    void spectator.socket.connect();
    (await spectator.opened()).hear(snapshot(412));
    await spectator.socket.probe();
    expect(spectator.waits).toEqual([]);
  });

  it("says hello with its token, and resumes after the last known event", async () => {
    const { socket, opened, go, heard } = begin();
    void socket.connect();
    const first = await opened();
    expect(first.said).toEqual([{ type: "hello", token: "a token" }]);
    first.hear(snapshot(412));
    first.hear(events(413, [hit, hit]));
    first.onclose?.({ code: 1006, reason: "" });
    expect(heard.links.at(-1)?.kind).toBe("lost");
    go();
    const second = await opened();
    expect(second.said).toEqual([{ type: "hello", token: "a token", from: 414 }]);
    second.hear(events(415, [hit]));
    expect(heard.events.at(-1)?.[1]).toBe(true); // missed
    expect(heard.links.at(-1)).toEqual({ kind: "open", back: true });
  });

  it("watches without a token", async () => {
    const { socket, opened } = begin(null);
    void socket.connect();
    expect((await opened()).said).toEqual([{ type: "hello" }]);
  });

  it("reconnects after a gap and resumes after the last known event", async () => {
    const { socket, opened, go, heard } = begin();
    void socket.connect();
    const first = await opened();
    first.hear(snapshot(10));
    first.hear(events(13, [hit]));
    expect(heard.events).toEqual([]);
    expect(first.isClosed).toBe(true);
    go();
    expect((await opened()).said).toEqual([{ type: "hello", token: "a token", from: 10 }]);
  });

  it("ignores events it already knows", async () => {
    const { socket, opened, heard } = begin();
    void socket.connect();
    const connection = await opened();
    connection.hear(snapshot(10));
    connection.hear(events(9, [hit, hit]));
    expect(heard.events).toEqual([]);
    connection.hear(events(9, [hit, hit, { event: "HandStood", spot: 3, hand: 0 }]));
    expect(heard.events[0]?.[0].n).toBe(11);
    expect(heard.events[0]?.[0].events.map((event) => event.event)).toEqual(["HandStood"]);
    expect(socket.n).toBe(11);
  });

  it("asks again while the server doesn't know whether a command was applied", async () => {
    const { socket, opened, go } = begin();
    void socket.connect();
    const connection = await opened();
    connection.hear(snapshot(412));
    const answer = socket.send({ command: "BuyChips", amount: 500 }, null);
    connection.hear({ type: "unknown", key: "key 1", reason: "The house's disk is full." });
    expect(connection.said).toHaveLength(2);
    go();
    expect(connection.said[2]).toEqual(connection.said[1]);
    connection.hear({ type: "done", key: "key 1", n: 413 });
    expect(await answer).toMatchObject({ type: "done" });
  });

  it("resends unanswered commands with the same key", async () => {
    const { socket, opened, go } = begin();
    void socket.connect();
    const first = await opened();
    first.hear(snapshot(10));
    const answer = socket.send({ command: "Hit", spot: 3 }, 9);
    const sent = first.said.at(-1);
    expect(sent).toEqual({ type: "command", key: "key 1", ask: 9, command: { command: "Hit", spot: 3 } });
    first.onclose?.({ code: 1006, reason: "" });
    go();
    const second = await opened();
    second.hear({ type: "you", person: "13", seat: 3, client: 2, stack: 1, wallet: 1 });
    expect(second.said.at(-1)).toEqual(sent);
    second.hear({ type: "done", key: "key 1", n: 12 });
    await expect(answer).resolves.toMatchObject({ type: "done", n: 12 });
  });

  it("adds the time to commands that don't answer a prompt", async () => {
    const { socket, opened } = begin();
    void socket.connect();
    const connection = await opened();
    connection.hear(snapshot(10));
    void socket.send({ command: "BuyChips", amount: 100 }, 9);
    expect(connection.said.at(-1)).toMatchObject({ sent: 1_000 });
    expect(connection.said.at(-1)).not.toHaveProperty("ask");
  });

  it("drops a connection that doesn't answer", async () => {
    const { socket, opened, waits, heard } = begin();
    void socket.connect();
    const connection = await opened();
    connection.hear(snapshot(10));
    void socket.send({ command: "Hit", spot: 3 }, 9);
    waits.filter((wait) => !wait.undone).at(-1)?.act();
    expect(connection.isClosed).toBe(true);
    expect(heard.links.at(-1)?.kind).toBe("lost");
  });

  it("leaves a seat to another window until the user takes it back", async () => {
    const { socket, lines, opened, heard } = begin();
    void socket.connect();
    (await opened()).hear(snapshot(10));
    lines[0]?.onclose?.({ code: 4010, reason: "" });
    expect(heard.links.at(-1)).toMatchObject({ kind: "shut", why: "elsewhere" });
    expect(lines).toHaveLength(1);
    socket.tryNow();
    expect(lines).toHaveLength(2);
  });

  it("retries once with a new token after a refusal", async () => {
    const { socket, lines, opened, go, heard } = begin();
    void socket.connect();
    await opened();
    lines[0]?.onclose?.({ code: 4003, reason: "Your session has expired. Sign in again." });
    expect(heard.links.at(-1)?.kind).toBe("lost");
    go();
    await opened();
    lines[1]?.onclose?.({ code: 4003, reason: "Your session has expired. Sign in again." });
    expect(heard.links.at(-1)).toMatchObject({ kind: "shut", why: "refused" });
  });

  it("waits as long as a restarting server asks, and longer after each failure", async () => {
    const { socket, lines, opened, go, heard, waits } = begin();
    void socket.connect();
    const first = await opened();
    first.hear(snapshot(10));
    first.hear({ type: "bye", code: "restart", retry_ms: 1_500 });
    first.onclose?.({ code: 4012, reason: "" });
    expect(heard.links.at(-1)).toMatchObject({ kind: "lost", restart: true });
    expect(waits.at(-1)?.ms).toBe(1_500);
    const asked: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      go();
      lines.at(-1)?.onclose?.({ code: 1006, reason: "" });
      asked.push(waits.at(-1)?.ms ?? 0);
    }
    expect(asked).toEqual([...asked].sort((a, b) => a - b));
    expect(asked.at(-1)).toBe(8_000);
  });
});
