// What a person sees of a table. Buttons are the server's options, no more and no fewer.

const find = (id) => document.getElementById(id);
const RANKS = "A23456789TJQK";
const SUITS = ["♣", "♦", "♥", "♠"];
const SUIT_NAMES = ["clubs", "diamonds", "hearts", "spades"];
const MOST_LINES = 300;

export const dollars = (cents) =>
  (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
const cents = (input) => Math.round(Number(input.value) * 100);

function make(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

function card(code) {
  if (code === null) return make("span", "▒▒", "card");
  const suit = code % 4;
  const rank = RANKS[Math.floor(code / 4)].replace("T", "10");
  const made = make("span", `${rank}${SUITS[suit]}`, suit === 1 || suit === 2 ? "card red" : "card");
  made.setAttribute("aria-label", `${rank} of ${SUIT_NAMES[suit]}`);
  return made;
}

export function drawTable(live, notice) {
  const { view } = live;
  if (!view) return;
  find("table-name").textContent = view.table.name;
  const shoe = view.shoe.number ? `shoe ${view.shoe.number}, ${view.shoe.left} cards left` : "no shoe yet";
  const round = view.round ? `round ${view.round.number}, ` : "";
  find("table-facts").textContent = `${view.table.canonical}; ${round}${shoe}; ${view.table.status}`;
  drawCards(live);
  drawSeats(live);
  drawOwn(live, notice);
}

export function drawMeters(live) {
  const lines = [...live.meters].map(([jackpot, amount]) =>
    make("li", `Jackpot ${jackpot}: ${dollars(amount)}`));
  find("meters").replaceChildren(...lines);
}

function drawCards(live) {
  const { round } = live.view;
  const dealer = make("p", "Dealer: ");
  dealer.append(...(round?.dealer ?? []).map(card));
  if (round?.bonus_cards?.length) dealer.append(" Bonus cards: ", ...round.bonus_cards.map(card));
  find("dealer").replaceChildren(dealer);
  find("spots").replaceChildren(...(round?.spots ?? []).map((spot) => drawSpot(live, spot)));
}

function drawSpot(live, spot) {
  const isTurn = live.ask?.kind === "decision" && live.ask.spots.includes(spot.number);
  const line = make("li", `Spot ${spot.number}, ${spot.name}: `, isTurn ? "turn" : "");
  spot.hands.forEach((hand) => {
    const cards = hand.cards.map(card);
    line.append(...cards, ` ${hand.total || ""} (${dollars(hand.wager)}) `);
  });
  if (!spot.hands.length) line.append(dollars(spot.base));
  const more = { ...spot.mtd, ...Object.fromEntries(
    Object.entries(spot.jackpots).map(([game, amount]) => [`jackpot ${game}`, amount])) };
  Object.entries(more).forEach(([name, amount]) => line.append(` ${name} ${dollars(amount)}`));
  if (spot.insurance) line.append(` insurance ${dollars(spot.insurance)}`);
  return line;
}

function drawSeats(live) {
  const { view, you } = live;
  const taken = new Map(view.seats.map((seat) => [seat.seat, seat]));
  const lines = [];
  for (let number = 1; number <= view.table.seats; number += 1) {
    const seat = taken.get(number);
    const line = make("li", `${number}: `);
    if (seat) {
      const ready = seat.ready ? ", ready" : "";
      const away = seat.status === "here" ? "" : `, ${seat.status}`;
      line.append(`${seat.name}, ${dollars(seat.stack)}${ready}${away}`);
    } else if (you && !live.seat) {
      line.append(button("Sit down", () => live.send({ command: "TakeSeat", seat: number })));
    } else {
      line.append("free");
    }
    lines.push(line);
  }
  find("seats").replaceChildren(...lines);
}

function button(text, work, option) {
  const made = make("button", text);
  made.type = "button";
  const isLegal = !option || (option.legal !== false && option.covered !== false);
  made.disabled = !isLegal;
  if (option?.reason) made.title = option.reason;
  else if (option?.covered === false) made.title = "You have too few chips for it.";
  made.addEventListener("click", work);
  return made;
}

// --- the own seat ---

let drawn = ""; // what the choices were made from: they are made anew only when that changes

function drawOwn(live, notice) {
  const { you, ask, view } = live;
  if (!you) {
    find("yours").textContent = "You are watching. Go to the lobby to play.";
    return;
  }
  const { seat } = live;
  find("yours").textContent = seat
    ? `Seat ${seat.seat}, ${dollars(seat.stack)} in chips, ${dollars(you.wallet)} in your wallet.`
    : `No seat yet; ${dollars(you.wallet)} in your wallet.`;
  const now = JSON.stringify([seat?.seat, seat?.spots, seat?.ready, seat?.status, ask?.n, ask?.options]);
  if (now === drawn) return;
  drawn = now;
  const place = find("choices");
  place.replaceChildren();
  if (!seat) return;
  const spots = new Set(seat.spots);
  if (ask?.kind === "wagers") place.append(...wagers(live, seat));
  else if (ask?.options?.length) place.append(answers(live, ask, spots));
  if (ask?.kind?.startsWith("cut")) place.append(make("p", "The shoe is being cut."));
  place.append(chips(live));
}

function named(name) {
  return name.split(/[-_ ]/).map((part) => part[0].toUpperCase() + part.slice(1)).join("");
}

const ANSWERS = { take: "TakeBlackjack", keep: "KeepBlackjack", withdraw: "WithdrawWagers" };

function answers(live, ask, spots) {
  const row = make("div", undefined, "choices");
  for (const option of ask.options.filter((one) => spots.has(one.spot))) {
    if (option.kind === "action") {
      const extra = option.chips ? ` ${dollars(option.chips)}` : "";
      const command = { command: named(option.name), spot: option.spot };
      row.append(button(`${option.name}${extra}`, () => live.send(command), option));
    } else if (option.kind === "answer") {
      const command = { command: ANSWERS[option.name], spot: option.spot };
      row.append(button(`${option.name} (spot ${option.spot})`, () => live.send(command), option));
    } else if (option.kind === "insurance") {
      row.append(...insurance(live, option));
    }
  }
  return row;
}

function insurance(live, option) {
  const input = amount(`Insurance of spot ${option.spot}`, option.least, option.most, option.unit);
  const insure = () =>
    live.send({ command: "Insure", spot: option.spot, amount: cents(input.field) });
  const none = () => live.send({ command: "Insure", spot: option.spot, amount: 0 });
  input.field.value = String(option.most / 100);
  return [input.label, button("Insure", insure, option), button("No insurance", none)];
}

function amount(title, least, most, unit) {
  const label = make("label", `${title} (${dollars(least)} to ${dollars(most)}) `);
  const field = make("input");
  field.type = "number";
  field.min = String(least / 100);
  field.max = String(most / 100);
  field.step = String(unit / 100);
  label.append(field);
  return { label, field };
}

function wagers(live, seat) {
  const offered = live.ask.options.filter((option) => option.kind === "wager" && option.legal);
  const down = live.ask.options.filter((option) => option.kind === "answer");
  const parts = [];
  for (const spot of seat.spots) {
    const form = make("form");
    const fields = offered.filter((option) => option.spots.includes(spot)).map((option) => {
      const made = amount(`Spot ${spot}, ${option.wager}`, option.least, option.most, option.unit);
      if (option.required) made.field.value = kept(option);
      made.field.required = option.required;
      form.append(made.label);
      return { option, field: made.field };
    });
    const place = make("button", "Place wagers");
    form.append(place);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      placeWagers(live, spot, fields);
    });
    parts.push(form);
  }
  const row = make("div", undefined, "choices");
  for (const option of down.filter((one) => seat.spots.includes(one.spot))) {
    const command = { command: ANSWERS[option.name], spot: option.spot };
    row.append(button(`${option.name} (spot ${option.spot})`, () => live.send(command), option));
  }
  const ready = button(seat.ready ? "Waiting for the others" : "Deal", () =>
    live.send({ command: "Ready" }));
  ready.disabled = seat.ready;
  row.append(ready);
  parts.push(row);
  return parts;
}

const KEPT = "ventiuna.wager";
const kept = (option) => sessionStorage.getItem(KEPT) ?? String(option.least / 100);

function placeWagers(live, spot, fields) {
  const command = { command: "PlaceWagers", spot, base: 0, mtd: {}, jackpots: {} };
  for (const { option, field } of fields) {
    if (!field.value) continue;
    const [kind, part] = option.wager.split(" ");
    if (kind === "mtd") command.mtd[part] = cents(field);
    else if (kind === "jackpot") command.jackpots[part] = cents(field);
    else {
      command.base = cents(field);
      sessionStorage.setItem(KEPT, field.value);
    }
  }
  live.send(command);
}

function chips(live) {
  const form = make("form");
  const input = amount("Chips", 100, Math.max(100, live.you.wallet), 100);
  input.field.value = String(Math.min(500, Math.floor(live.you.wallet / 100)));
  const buy = make("button", "Buy chips");
  form.append(input.label, buy);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    live.send({ command: "BuyChips", amount: cents(input.field) });
  });
  form.append(
    button("Cash out", () => live.send({ command: "CashOut" })),
    button("Leave the seat", () => live.send({ command: "LeaveSeat" })),
  );
  return form;
}

export function drawClock(live) {
  const until = live?.ask?.until;
  const left = until ? Math.max(0, Math.ceil((until - Date.now()) / 1000)) : null;
  find("clock").textContent = left === null ? "" : `${left} s left`;
}

export function tell(lines) {
  const story = find("story");
  const follows = story.scrollTop + story.clientHeight >= story.scrollHeight - 40;
  story.append(...lines.map((line) => make("li", line.text)));
  while (story.children.length > MOST_LINES) story.firstChild.remove();
  if (follows) story.scrollTop = story.scrollHeight;
}
