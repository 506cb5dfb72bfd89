// The plain page of a house: lobby, one table, a seat. It knows no rule of the game: what may be
// done, for how much and why not comes from the server's options, sentence for sentence.

import { session } from "/pages/session.js";
import { Live } from "/pages/live.js";
import { drawTable, drawMeters, drawClock, tell } from "/pages/draw.js";

const find = (id) => document.getElementById(id);
const notice = (text) => { find("notice").textContent = text; };
let live = null;

async function begin() {
  await session.begin(notice);
  const wanted = new URLSearchParams(location.search).get("table");
  showWho();
  if (wanted && /^[0-9]{1,18}$/.test(wanted)) await openTable(Number(wanted));
  else await openLobby();
}

function showWho() {
  const { person } = session;
  find("who").textContent = person
    ? `You are ${person.name}${person.role === "player" ? "" : `, ${person.role}`}.`
    : "You are watching.";
  find("welcome").hidden = Boolean(person);
  find("open-table").hidden = person?.role !== "operator";
  find("bots-form").hidden = person?.role !== "operator";
}

// --- lobby ---

async function openLobby() {
  find("lobby").hidden = false;
  await drawLobby();
  setInterval(drawLobby, 5000);
}

async function drawLobby() {
  const tables = await session.ask("GET", "/tables", undefined, notice);
  if (!tables) return;
  find("tables").replaceChildren(...tables.map((table) => {
    const line = document.createElement("li");
    const link = document.createElement("a");
    link.href = `/?table=${table.id}`;
    link.textContent = table.name;
    line.append(link, ` ${table.canonical}; ${table.seats} seated; ${table.status}`);
    return line;
  }));
}

function onSubmit(id, work) {
  find(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    notice("");
    await work();
  });
}

onSubmit("guest-form", async () => {
  if (await session.guest(find("guest-name").value.trim(), notice)) location.reload();
});
onSubmit("log-in-form", async () => {
  const given = { name: find("log-in-name").value, password: find("log-in-password").value };
  if (await session.logIn(given, notice)) location.reload();
});
onSubmit("open-form", async () => {
  const given = {
    name: find("open-name").value,
    rules: find("open-rules").value,
    reason: "opened on the page",
  };
  const made = await session.ask("POST", "/tables", given, notice);
  if (made) location.search = `?table=${made.id}`;
});
onSubmit("bots-form", async () => {
  const given = {
    count: Number(find("bots-count").value),
    strategy: find("bots-strategy").value,
  };
  await session.ask("POST", `/tables/${live.table}/bots`, given, notice);
});

// --- one table ---

async function openTable(number) {
  find("table").hidden = false;
  live = new Live(number, session, {
    changed: () => drawTable(live, notice),
    told: tell,
    meters: () => drawMeters(live),
    notice,
  });
  setInterval(() => drawClock(live), 250);
  await live.connect();
}

await begin();
