// What an operator can do, as data: where it is sent, and what has to be filled in besides the reason.

export interface Field {
  name: string;
  label: string;
  kind: "text" | "money" | "number" | "choice";
  choices?: { value: string; label: string }[];
  value?: string;
  optional?: boolean; // left empty: null
}

export interface OperatorAction {
  name: string; // on the button
  title: string;
  why: string;
  path: string;
  fields?: Field[];
  fixed?: Record<string, unknown>;
  reasonless?: boolean; // bots: rows, not entries
  strong?: boolean;
}

/** Dollars as people write them, in whole cents; null where that is no amount. */
export function parseCents(text: string): number | null {
  const found = /^\$?(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!found) return null;
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

/** What is sent, or the label of the field that can't be read. */
export function requestBody(action: OperatorAction, given: Record<string, string>, reason: string): { body: Record<string, unknown> } | { wrong: Field } {
  const body: Record<string, unknown> = { ...action.fixed };
  for (const field of action.fields ?? []) {
    const text = (given[field.name] ?? "").trim();
    if (!text && field.optional) {
      body[field.name] = null;
      continue;
    }
    if (field.kind === "money") {
      const cents = parseCents(text);
      if (cents === null) return { wrong: field };
      body[field.name] = cents;
    } else if (field.kind === "number") {
      if (!/^\d+$/.test(text)) return { wrong: field };
      body[field.name] = Number(text);
    } else body[field.name] = text;
  }
  if (!action.reasonless) body["reason"] = reason.trim();
  return { body };
}
