// Format amounts and figures. Amounts are whole cents.

const dollars = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const MINUS = "−";

/** $25 or $1,207.50; cents are shown only if there are any. */
export function money(amount: number): string {
  const size = Math.abs(amount);
  const text = size % 100 === 0 ? dollars.format(size / 100) : cents.format(size / 100);
  return `${amount < 0 ? MINUS : ""}$${text}`;
}

/** With a sign: +$40, −$25, $0. */
export function signed(amount: number): string {
  return amount > 0 ? `+${money(amount)}` : money(amount);
}

/** A share of a wager per dollar: −16.2¢, or −$1.25 from a dollar up. */
export function perDollar(share: number, places = 1): string {
  const cents = Math.abs(share) * 100;
  const value = cents.toFixed(places);
  const sign = Number(value) === 0 ? "" : share < 0 ? MINUS : "+";
  return Number(value) < 100 ? `${sign}${value}¢` : `${sign}$${(cents / 100).toFixed(2)}`;
}

/** Formats the shares of one comparison in one unit: if any is a dollar or more, all but the smallest are in dollars, such as −$0.16. */
export function sharesOf(choices: { ev: number; cost: number }[]): (share: number) => string {
  if (!choices.some(({ ev, cost }) => Math.max(Math.abs(ev), cost) >= 0.9995)) return perDollar;
  return (share) => (Math.abs(share) < 0.005 ? perDollar(share) : `${share < 0 ? MINUS : "+"}$${Math.abs(share).toFixed(2)}`);
}

export function percent(share: number, places = 2): string {
  const value = (Math.abs(share) * 100).toFixed(places);
  return `${share < 0 && Number(value) !== 0 ? MINUS : ""}${value}%`;
}

export function count(value: number): string {
  return dollars.format(value);
}

/** Keep numbers and their words on one line: "2 jackpots", "soft 17". */
export const unbroken = (text: string): string => text.replace(/(?<=\d) (?=[a-z])| (?=\d)/g, "\u00a0");

/** Capitalize the first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
