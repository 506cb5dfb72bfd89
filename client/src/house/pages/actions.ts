// Operator actions: the forms that the server declares, and the requests they send.

import { get } from "../../lib/api";
import type { CommandField, CommandForm } from "../../wire";

export interface OperatorAction {
  label: string;
  title: string;
  help: string;
  consequence?: string; // what happens next
  path: string;
  fields: CommandField[];
  final?: boolean;
  body?: Record<string, unknown>; // sent besides the fields
  reasonless?: boolean; // bots aren't recorded as entries, so they need no reason
}

let forms: Promise<CommandForm[]> | undefined;

/** All forms, loaded once. */
export function commandForms(): Promise<CommandForm[]> {
  forms ??= get<CommandForm[]>("/commands").catch((error: unknown) => {
    forms = undefined; // try again next time
    throw error;
  });
  return forms;
}

/** A floor person's action for a table. */
export function floorAction(all: CommandForm[], word: string, table: number, name: string): OperatorAction | undefined {
  const form = all.find(({ path }) => path === `/tables/{number}/${word}`);
  return form && { ...form, title: form.title.replace("{name}", name), path: form.path.replace("{number}", String(table)) };
}

/** The actions for a table, a jackpot or a person, with irreversible ones last. */
export function actionsFor(all: CommandForm[], subject: CommandForm["subject"], number: number, name: string, status: string, has: string[] = []): OperatorAction[] {
  if (status === "closed" || status === "removed") return [];
  return all
    .filter((form) => form.subject === subject && !form.step && (!form.statuses.length || form.statuses.includes(status)) && (!form.needs || has.includes(form.needs)))
    .sort((one, other) => Number(one.final) - Number(other.final))
    .map((form) => ({ ...form, title: form.title.replace("{name}", name), path: form.path.replace("{number}", String(number)) }));
}

const FREQUENT: Record<CommandForm["subject"], string[]> = { tables: ["resume", "close"], persons: ["issue"], jackpots: ["resume", "seed"] };

/** Split off the action that is needed most. */
export function byFrequency(actions: OperatorAction[], subject: CommandForm["subject"]): [OperatorAction | undefined, OperatorAction[]] {
  const first = FREQUENT[subject].map((word) => actions.find(({ path }) => path.endsWith(`/${word}`))).find(Boolean);
  return [first, actions.filter((action) => action !== first)];
}

/** Convert a typed dollar amount to whole cents. Return null if it isn't an amount. */
export function parseCents(text: string): number | null {
  const found = /^\$?(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!found) return null;
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

/** The request body, or the first field that can't be parsed. */
export function requestBody(action: OperatorAction, given: Record<string, string>, reason: string): { body: Record<string, unknown> } | { wrong: CommandField } {
  const body: Record<string, unknown> = { ...action.body };
  for (const field of action.fields) {
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
