"""`ventiuna school`: the dealer school in the terminal, or step by step over JSON lines."""

from __future__ import annotations

import secrets
import sys
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console

from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    JsonFlag,
    Prompt,
    RulesOption,
    accept_any_bytes,
    console,
    plain_table,
    print_json,
)
from ventiuna.cli.common.reports import HtmlOption, PdfOption, check_output_files, write_document
from ventiuna.cli.common.stdio import LONGEST_LINE, encodes_unicode
from ventiuna.rules import load_rules
from ventiuna.school.lessons import (
    MAX_SEED,
    Attempt,
    Lesson,
    LessonResult,
    LessonRound,
    Verdict,
    lesson_result,
    lesson_result_data,
    make_lesson,
)
from ventiuna.school.step_text import parse_step
from ventiuna.school.steps import SchoolError
from ventiuna.school.training import LEVELS
from ventiuna.school.views import lesson_felt, levels_data
from ventiuna.table.domain.commands import Requirement
from ventiuna.texts import ascii_json, json_text

LEAVE = ("quit", "q", "exit")
NEW_SEEDS = 10**9


@command("school")
def school(
    level: Annotated[
        str, typer.Argument(metavar="[LEVEL]", help="A level. Default: list all levels.")
    ] = "",
    rules: RulesOption = "",
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=MAX_SEED, help="The same seed deals the same rounds.", show_default=False
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, max=1_000, help="Number of rounds; fixed for exams.")
    ] = 1,
    exam: Annotated[
        bool, typer.Option("--exam", help="Take an exam: one try per step, no help.")
    ] = False,
    supervisor: Annotated[
        Requirement,
        typer.Option(help="Whether a floor person must watch third cards and authorize payments."),
    ] = Requirement.OFF,
    name: Annotated[str, typer.Option(help="Your name, for the sheet.")] = "",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Learn to deal: take the dealer's steps in the right order, and pay the right amounts.

    Type the steps: `card 2`, `pay 2 22.50`, `take 3 up`, `ask 1`, `look`, `show`. With --json,
    each input line is a step, and the answers are lines of JSON. --html and --pdf write the result
    as a sheet to print.
    """
    if not level:
        _list_levels(as_json)
        return
    chosen = load_rules(rules) if rules else None
    used = secrets.randbelow(NEW_SEEDS) if seed is None else seed
    lesson = make_lesson(level, chosen, used, exam, supervisor is Requirement.REQUIRED)
    check_output_files(html, pdf)
    accept_any_bytes()
    last = lesson.level.exam_rounds if exam else rounds
    typed = (_JsonLesson if as_json else _TypedLesson)(lesson, console())
    typed.give(last)
    if html is not None or pdf is not None:
        from ventiuna.reports.lesson import result_document

        today = datetime.now().astimezone().date()
        write_document(result_document(typed.result, name, today), html, pdf)


def _list_levels(as_json: bool) -> None:
    if as_json:
        print_json(levels_data())
        return
    table = plain_table("LEVEL", "TEACHES")
    for level in LEVELS:
        table.add_row(level.id, level.about)
    console().print(table)


class _TypedLesson:
    """A lesson for someone at the keyboard."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        self._lesson = lesson
        self._out = out
        self._prompt = Prompt(out)
        self._rounds: list[list[Attempt]] = []

    def give(self, rounds: int) -> None:
        try:
            for number in range(1, rounds + 1):
                self._begin(number)
                self._round(number)
        except EOFError:
            pass
        self._end()

    def _begin(self, number: int) -> None:
        lesson = self._lesson
        title = f"{lesson.level.title}, round {number}, seed {lesson.seed}"
        self._out.print(title, style="bold")

    def _round(self, number: int) -> None:
        attempts: list[Attempt] = []
        self._rounds.append(attempts)
        played = LessonRound(self._lesson, number)
        printed = self._print_new(played, 0)
        while played.due is not None:
            text = self._prompt.ask(f"step {len(played.marks) + 1} > ")
            if text.lower() in LEAVE:
                raise EOFError
            try:
                attempt = Attempt(parse_step(text))
                verdict = played.attempt(attempt)
            except SchoolError as error:
                self._refuse(str(error))
                continue
            attempts.append(attempt)
            self._say(verdict)
            printed = self._print_new(played, printed)

    def _print_new(self, played: LessonRound, printed: int) -> int:
        """Print what has happened at the table since the last call."""
        lines = lesson_felt(played).lines
        for line in lines[printed:]:
            self._out.print(f"  {line}")
        return len(lines)

    def _refuse(self, sentence: str) -> None:
        self._out.print(sentence)

    def _say(self, verdict: Verdict) -> None:
        self._out.print(f"{verdict.sentence} {verdict.note}".rstrip())
        if verdict.right:
            return
        numbers = f" ({', '.join(verdict.rules)})" if verdict.rules else ""
        for line in (verdict.answer, verdict.amount, f"{verdict.rule}{numbers}"):
            if line:
                self._out.print(f"  {line}")

    @property
    def result(self) -> LessonResult:
        return lesson_result(self._lesson, self._rounds)

    def _end(self) -> None:
        result = self.result
        if not result.steps:
            return
        self._out.print(
            f"{result.right} of {result.steps} steps right on the first try, "
            f"{result.accuracy:.1f}%."
        )
        for mistake in result.mistakes if self._lesson.exam else ():
            self._out.print(f"  round {mistake.round}: {mistake.step} {mistake.amount}")
        if result.passed is not None:
            self._out.print("Passed." if result.passed else "Not passed: you need 90%.")


class _JsonLesson(_TypedLesson):
    """A lesson for programs: a line in, a line out."""

    def _begin(self, number: int) -> None:
        self._write({"round": number, "level": self._lesson.level.id, "seed": self._lesson.seed})

    def _round(self, number: int) -> None:
        self._prompt = _Silent(self._out)
        super()._round(number)

    def _print_new(self, played: LessonRound, printed: int) -> int:
        lines = lesson_felt(played).lines
        self._write(
            {"lines": lines[printed:], "done": len(played.marks), "over": played.due is None}
        )
        return len(lines)

    def _refuse(self, sentence: str) -> None:
        self._write({"problem": sentence})

    def _say(self, verdict: Verdict) -> None:
        self._write({"verdict": verdict})

    def _end(self) -> None:
        self._write({"result": lesson_result_data(self.result)})

    def _write(self, data: dict[str, object]) -> None:
        text = json_text(data, None) + "\n"
        sys.stdout.write(text if encodes_unicode(sys.stdout) else ascii_json(text))
        sys.stdout.flush()


class _Silent(Prompt):
    """A prompt that reads without printing a question or an echo."""

    def ask(self, question: str) -> str:
        line = sys.stdin.readline(LONGEST_LINE) if sys.stdin else ""
        if not line or len(line) == LONGEST_LINE:
            raise EOFError
        return line.strip()
