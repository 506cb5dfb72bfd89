"""Ask any engine the questions of the conformance kit, and compare its answers.

    python run.py -- ventiuna conformance
    python run.py --part worked --part refused -- ./my-engine --some-option

The engine reads one JSON object per line from standard input and answers each with one line on
standard output. The protocol is in docs/conformance.md. This file needs only Python 3.11 and the
data next to it. Exit code 0: every answer is right. 1: some answer is wrong. 2: the engine or the
kit can't be used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SECONDS = 60.0  # an engine may take this long for one answer
SHOWN = 5  # wrong answers shown of each part
Json = dict[str, Any]


class Unusable(Exception):
    """The engine or the kit can't be used."""


class Kit:
    """The kit's data: parts with cases, and the rules that the cases name."""

    def __init__(self, folder: Path = HERE) -> None:
        self._folder = folder
        self.manifest: Json = json.loads((folder / "manifest.json").read_text("utf-8"))
        self._rules: Json = json.loads(self._read("rules.json"))

    def _read(self, name: str) -> str:
        content = (self._folder / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != self.manifest["sha256"][name]:
            raise Unusable(f"{name} isn't the file that the kit was published with.")
        return content.decode("utf-8")

    @property
    def parts(self) -> list[str]:
        return list(self.manifest["parts"])

    def cases(self, part: str) -> list[Json]:
        return [json.loads(line) for line in self._read(f"{part}.jsonl").splitlines()]

    def question(self, case: Json) -> Json:
        """A case's question, with complete rules."""
        question: Json = case["question"]
        return (
            {**question, "rules": self.rules(question["rules"])}
            if "rules" in question
            else question
        )

    def rules(self, name: str) -> Json:
        """Rules by name: complete, or the differences from others."""
        data: Json = dict(self._rules[name])
        if "like" not in data:
            return data
        base = self.rules(data.pop("like"))
        return {**base, **data, "options": {**base["options"], **data.get("options", {})}}


class Engine:
    """A program that answers questions, one line each."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except OSError as error:
            raise Unusable(f"{command[0]} can't be started: {error.strerror}.") from None
        self._lines: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")  # the engine has ended

    def ask(self, question: Json) -> Json:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=SECONDS)
        except (OSError, queue.Empty):
            line = ""
        if not line:
            raise Unusable(f"The engine ended, or gave no answer for {SECONDS:.0f} seconds.")
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Unusable(f"The engine answered with a line that isn't a JSON object: {line[:80]}")
        return found

    def close(self) -> None:
        self._process.kill()
        self._listener.join()
        with suppress(OSError), self._process:  # closes its streams
            pass


def difference(expected: Any, found: Any, where: str = "") -> str:
    """The first part of the answer that is wrong; empty if nothing is. More parts are allowed."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if where == "refused":  # the rules that an engine cites are for its readers
            expected = {key: value for key, value in expected.items() if key != "rules"}
        if where.endswith("legal") and expected.keys() != found.keys():
            return f"{where}: {', '.join(expected)} expected, not {', '.join(found)}"
        pairs = [(f"{where}.{key}".lstrip("."), expected[key], found.get(key)) for key in expected]
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{where}: {len(expected)} expected, not {len(found)}"
        pairs = [(f"{where}[{n}]", one, found[n]) for n, one in enumerate(expected)]
    else:
        same = type(expected) is type(found) and expected == found
        return "" if same else f"{where}: {_brief(expected)} expected, not {_brief(found)}"
    return next((wrong for w, one, other in pairs if (wrong := difference(one, other, w))), "")


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 100 else text[:97] + "..."


def wrong_answers(kit: Kit, engine: Engine, part: str) -> Iterator[tuple[Json, str]]:
    """Ask the cases of a part; yield each with what is wrong, or with an empty string."""
    for case in kit.cases(part):
        found = engine.ask(kit.question(case))
        wrong = f"error: {found['error']}" if "error" in found else ""
        yield case, wrong or difference(case["answer"], found)


def run(kit: Kit, engine: Engine, parts: list[str], first: bool = False) -> Json:
    """Ask all cases of these parts; stop at the first wrong answer if asked to."""
    hello = engine.ask({"ask": "hello", "protocol": kit.manifest["protocol"]})
    if hello.get("protocol") != kit.manifest["protocol"]:
        raise Unusable(f"The kit speaks protocol {kit.manifest['protocol']}, the engine doesn't.")
    report: Json = {"kit": kit.manifest["version"], "engine": str(hello.get("engine")), "parts": {}}
    for part in parts:
        asks = kit.manifest["parts"][part]["ask"]
        cases = kit.manifest["parts"][part]["cases"]
        counts: Json = {
            "cases": cases,
            "right": 0,
            "wrong": [],
            "answered": asks in hello["answers"],
        }
        report["parts"][part] = counts
        for case, wrong in wrong_answers(kit, engine, part) if counts["answered"] else ():
            if not wrong:
                counts["right"] += 1
                continue
            counts["wrong"].append({"id": case["id"], "title": case["title"], "wrong": wrong})
            if first:
                return report
    return report


def show(report: Json) -> None:
    print(f"Conformance kit {report['kit']}, engine {report['engine']}\n")
    print(f"{'part':10} {'cases':>6} {'right':>6} {'wrong':>6}")
    for part, counts in report["parts"].items():
        if not counts["answered"]:
            print(f"{part:10} {counts['cases']:6}   not answered by this engine")
            continue
        print(f"{part:10} {counts['cases']:6} {counts['right']:6} {len(counts['wrong']):6}")
    for part, counts in report["parts"].items():
        for wrong in counts["wrong"][:SHOWN]:
            print(f"\n{part} {wrong['id']}: {wrong['title']}\n    {wrong['wrong']}")
        if len(counts["wrong"]) > SHOWN:
            print(f"\n{part}: {len(counts['wrong']) - SHOWN} more (--json lists all)")
    parts = report["parts"].values()
    if any(counts["wrong"] for counts in parts):
        print("\nThe engine doesn't conform.")
    elif all(counts["answered"] for counts in parts):
        print("\nThe engine conforms.")
    else:
        print("\nThe engine conforms in the parts that it answers.")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="run.py", description="Ask an engine the questions of the conformance kit."
    )
    parser.add_argument("--part", action="append", help="ask only this part; can be repeated")
    parser.add_argument("--first", action="store_true", help="stop at the first wrong answer")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("engine", nargs="+", help="the command that starts the engine, after --")
    options = parser.parse_args(arguments)
    try:
        kit = Kit()
        unknown = [part for part in options.part or () if part not in kit.parts]
        if unknown:
            raise Unusable(f"The kit has no part {unknown[0]}; choose from {', '.join(kit.parts)}.")
        engine = Engine(options.engine)
        try:
            report = run(kit, engine, options.part or kit.parts, options.first)
        finally:
            engine.close()
    except (Unusable, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)
    return 1 if any(counts["wrong"] for counts in report["parts"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
