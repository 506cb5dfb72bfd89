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

/** Whether a share of a wager is a dollar or more, and shown in dollars. */
export const isDollars = (share: number): boolean => Math.abs(share) >= 0.9995;

/** A share of a wager per dollar: −16.2¢, or −$1.25 from a dollar up. In a column with such an amount, all are in dollars: −$0.162. */
export function perDollar(share: number, places = 1, areDollars = false): string {
  const cents = Math.abs(share) * 100;
  const value = cents.toFixed(places);
  const sign = Number(value) === 0 ? "" : share < 0 ? MINUS : "+";
  if (areDollars) return `${sign}$${(cents / 100).toFixed(3)}`;
  return Number(value) < 100 ? `${sign}${value}¢` : `${sign}$${(cents / 100).toFixed(2)}`;
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
