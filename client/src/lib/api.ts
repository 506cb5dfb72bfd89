// HTTP requests to the server. Errors are thrown as a `Problem` with a readable message.

import { session } from "./session.svelte";
import type { ProblemData } from "../wire";
import { words } from "../i18n";

export class Problem extends Error {
  constructor(
    readonly code: string,
    detail: string,
    readonly rules: string[] = [],
    readonly status = 0,
    readonly data: Partial<ProblemData> = {},
  ) {
    super(detail);
  }
}

export const errorMessage = (error: unknown): string => (error instanceof Problem ? error.message : String(error));

export const AWAY = "away"; // error code when the server doesn't respond

type Method = "GET" | "POST" | "DELETE";
type Query = Record<string, string | number | boolean | undefined>;

interface RequestOptions {
  query?: Query;
  body?: unknown;
  key?: string; // idempotency key, to send a POST again
  signal?: AbortSignal;
  anonymous?: boolean;
}

export async function ask<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const headers: Record<string, string> = {};
  const token = options.anonymous ? null : await session.token();
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (method === "POST") {
    headers["Content-Type"] = "application/json";
    headers["Idempotency-Key"] = options.key ?? crypto.randomUUID();
  }
  const answer = await reach(path + search(options.query), {
    method,
    headers,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
  });
  session.syncClock(answer.headers.get("Date"));
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  const isPdf = answer.headers.get("Content-Type")?.includes("pdf");
  const data = isJson ? await answer.json() : isPdf ? await answer.blob() : await answer.text();
  if (!answer.ok) {
    const problem = (isJson ? data : {}) as Partial<ProblemData>;
    throw new Problem(problem.code ?? "error", problem.detail ?? answer.statusText, problem.rules, answer.status, problem);
  }
  return data as T;
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  ask<T>("GET", path, { query, signal });

export const post = <T>(path: string, body: unknown = {}, key?: string): Promise<T> =>
  ask<T>("POST", path, { body, key });

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(AWAY, words.common.away);
  }
}

function search(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : "";
}
