// A cut of the shoe: 32 bytes that the house can't know when it commits to the order of the cards.
// H("ventiuna-cut-1\n" ‖ C ‖ seat as one byte ‖ r), as docs/fairness.md says.

export const random = () => crypto.getRandomValues(new Uint8Array(32));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export async function commitment(committed, seat, value) {
  const salt = new TextEncoder().encode("ventiuna-cut-1\n");
  const all = new Uint8Array([...salt, ...bytes(committed), seat, ...value]);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", all)));
}
