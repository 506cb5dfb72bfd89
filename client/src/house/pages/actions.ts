// The operator actions for tables, jackpots and people, with their forms.

import { words } from "../../i18n";
import type { OperatorAction, Field } from "./actionForm";

const text = words.house.pages.acts;
const amount: Field = { name: "amount", label: text.amount, kind: "money" };
const numbered = (name: string, label: string): Field => ({ name, label, kind: "number" });
const game: Field = { ...numbered("game", text.link.game), value: "1" };

const plain = (act: { name: string; title: (name: string) => string; why: string }, name: string, path: string): OperatorAction => ({
  name: act.name,
  title: act.title(name),
  why: act.why,
  path,
});

export function tableActions(id: number, name: string, status: string, strategies: { value: string; label: string }[]): OperatorAction[] {
  const at = `/tables/${id}`;
  if (status === "closed") return [];
  return [
    { ...plain(text.void, name, `${at}/void`), strong: true },
    ...(status === "fault" ? [plain(text.resume, name, `${at}/resume`)] : []),
    plain(text.drop, name, `${at}/drop`),
    {
      ...plain(text.bots, name, `${at}/bots`),
      fields: [
        { ...numbered("count", text.bots.count), value: "2" },
        { name: "strategy", label: text.bots.strategy, kind: "choice", choices: strategies },
      ],
      reasonless: true,
    },
    { ...plain(text.link, name, `${at}/link`), fields: [game, numbered("jackpot", text.link.jackpot)] },
    { ...plain(text.unlink, name, `${at}/unlink`), fields: [game] },
    { ...plain(text.close, name, `${at}/close`), strong: true },
  ];
}

export function jackpotActions(id: number, name: string, status: string): OperatorAction[] {
  const at = `/jackpots/${id}`;
  if (status === "removed") return [];
  const { up, down } = text.correct;
  return [
    status === "open" ? plain(text.suspend, name, `${at}/suspend`) : plain(text.reopen, name, `${at}/resume`),
    { ...plain(text.seed, name, `${at}/seed`), fields: [amount] },
    { ...plain(text.recover, name, `${at}/recover`), fields: [amount] },
    { ...plain(text.maximum, name, `${at}/maximum`), fields: [{ name: "maximum", label: text.maximum.field, kind: "money", optional: true }] },
    { ...plain(text.limit, name, `${at}/advance-limit`), fields: [{ name: "limit", label: text.limit.field, kind: "money", optional: true }] },
    {
      ...plain(text.correct, name, `${at}/correct`),
      fields: [
        {
          name: "direction",
          label: text.correct.direction,
          kind: "choice",
          choices: [
            { value: "up", label: up },
            { value: "down", label: down },
          ],
        },
        amount,
      ],
    },
    { ...plain(text.receipts, name, `${at}/receipts`), fields: [amount] },
    { ...plain(text.remove, name, `${at}/remove`), fields: [{ ...numbered("to", text.remove.to), optional: true }], strong: true },
  ];
}

export const newJackpot = (): OperatorAction => ({
  name: text.create.name,
  title: text.create.title,
  why: text.create.why,
  path: "/jackpots",
  fields: [
    { name: "name", label: text.create.called, kind: "text" },
    { name: "rules", label: text.create.rules, kind: "text", value: "wsgc-2021(jackpots=3c:1:seed=1000)" },
    { ...game, label: text.create.game },
    { name: "maximum", label: text.create.maximum, kind: "money", optional: true },
  ],
});

export function personActions(id: number, name: string, role: string): OperatorAction[] {
  const at = `/persons/${id}`;
  const roles = words.house.pages.people.roles;
  return [
    { ...plain(text.issue, name, `${at}/issue`), fields: [amount] },
    { ...plain(text.redeem, name, `${at}/redeem`), fields: [amount] },
    {
      ...plain(text.role, name, `${at}/role`),
      fields: [{ name: "role", label: text.role.role, kind: "choice", value: role, choices: Object.entries(roles).map(([value, label]) => ({ value, label })) }],
    },
  ];
}

