// Operator actions as data: the request path and the fields to fill in besides the reason.

export interface Field {
  name: string;
  label: string;
  kind: "text" | "money" | "number" | "choice";
  choices?: { value: string; label: string }[];
  value?: string;
  optional?: boolean; // sends null if left blank
}

export interface OperatorAction {
  name: string; // button label
  title: string;
  why: string;
  path: string;
  fields?: Field[];
  fixed?: Record<string, unknown>;
  reasonless?: boolean; // bots aren't recorded as entries, so they need no reason
  strong?: boolean;
}

/** Parse dollars as people type them into whole cents. Return null if it isn't an amount. */
export function parseCents(text: string): number | null {
  const found = /^\$?(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!found) return null;
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

/** The request body, or the first field that can't be parsed. */
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
