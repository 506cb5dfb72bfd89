// Rounds played by the server's own code, recorded when the tests run.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

export function recordedRounds() {
  const PYTHONPATH = [root, process.env.PYTHONPATH].filter(Boolean).join(":");
  const options = { cwd: root, env: { ...process.env, PYTHONPATH }, maxBuffer: 2 ** 28 };
  const written = execFileSync("python", ["-m", "tests.table.recorded_rounds"], options);
  return written.toString().trim().split("\n").map((line) => JSON.parse(line));
}
