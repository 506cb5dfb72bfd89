"""`ventiuna school`: the dealer school in the terminal, or step by step over JSON lines."""

from __future__ import annotations

import secrets
import sys
from abc import ABC, abstractmethod
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

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
from ventiuna.school.catch_errors import (
    CatchOutcome,
    CatchResult,
    CatchRound,
    CatchVerdict,
    ErrorKind,
    Watched,
    catch_result,
    catch_result_data,
    describe_deed,
    error_kinds,
    error_title,
)
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
from ventiuna.school.payouts import (
    PayoutAnswer,
    PayoutDrill,
    PayoutResult,
    describe_question,
    payout_result_data,
    read_answer,
)
from ventiuna.school.step_text import parse_step
from ventiuna.school.steps import SchoolError, StepInput, StepKind
from ventiuna.school.training import LEVELS
from ventiuna.school.views import lesson_felt, levels_data
from ventiuna.table.domain.commands import Requirement
from ventiuna.texts import ascii_json, json_text, pluralize

if TYPE_CHECKING:
    from ventiuna.reports.document import Document

LEAVE = ("quit", "q", "exit")
PASS_WORDS = ("", "go")
STOP_WORDS = ("s", "stop")
_OUTCOMES = {
    CatchOutcome.CAUGHT: "Caught.",
    CatchOutcome.MISSED: "You missed an error.",
    CatchOutcome.FALSE_ALARM: "False alarm: the step is right.",
}
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
    catch: Annotated[
        bool,
        typer.Option(
            "--catch", help="Watch a dealer who makes mistakes: stop, name and correct them."
        ),
    ] = False,
    payouts: Annotated[
        bool,
        typer.Option(
            "--payouts", help="Drill payout arithmetic: work out amounts from wagers and odds."
        ),
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

    With --catch, the dealer's steps appear one by one. Press Enter to let a step pass, or type `s`
    to stop the dealer; then choose the error and type the right step. With --json, an input line
    is `go`, or `stop blackjack-pay pay 2 22.50`.

    With --payouts, you get wagers and odds, and type what to pay or take.
    """
    if not level:
        _list_levels(as_json)
        return
    chosen = load_rules(rules) if rules else None
    used = secrets.randbelow(NEW_SEEDS) if seed is None else seed
    if exam + catch + payouts > 1:
        raise SchoolError("Use only one of --exam, --catch and --payouts.")
    lesson = make_lesson(level, chosen, used, exam, supervisor is Requirement.REQUIRED)
    check_output_files(html, pdf)
    accept_any_bytes()
    last = 1 if payouts else lesson.level.exam_rounds if exam else rounds
    out = console()
    typed: _TypedRounds
    if payouts:
        typed = (_JsonPayouts if as_json else _TypedPayouts)(lesson, out)
    elif catch:
        typed = (_JsonCatch if as_json else _TypedCatch)(lesson, out)
    else:
        typed = (_JsonLesson if as_json else _TypedLesson)(lesson, out)
    typed.give(last)
    if html is not None or pdf is not None:
        today = datetime.now().astimezone().date()
        write_document(typed.document(name, today), html, pdf)


def _list_levels(as_json: bool) -> None:
    if as_json:
        print_json(levels_data())
        return
    table = plain_table("LEVEL", "TEACHES")
    for level in LEVELS:
        table.add_row(level.id, level.about)
    console().print(table)


class _TypedRounds(ABC):
    """Rounds played at the keyboard."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        self._lesson = lesson
        self._out = out
        self._prompt = Prompt(out)

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

    @abstractmethod
    def _round(self, number: int) -> None: ...

    @abstractmethod
    def _end(self) -> None: ...

    @abstractmethod
    def document(self, name: str, day: date) -> Document:
        """The result to print."""

    def _ask(self, question: str) -> str:
        text = self._prompt.ask(question)
        if text.lower() in LEAVE:
            raise EOFError
        return text

    def _print_new(self, played: LessonRound | CatchRound, printed: int) -> int:
        """Print what has happened at the table since the last call."""
        lines = lesson_felt(played).lines
        for line in lines[printed:]:
            self._out.print(f"  {line}")
        return len(lines)

    def _refuse(self, sentence: str) -> None:
        self._out.print(sentence)


class _TypedLesson(_TypedRounds):
    """A lesson: the learner does the dealer's steps."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        super().__init__(lesson, out)
        self._rounds: list[list[Attempt]] = []

    def _round(self, number: int) -> None:
        attempts: list[Attempt] = []
        self._rounds.append(attempts)
        played = LessonRound(self._lesson, number)
        printed = self._print_new(played, 0)
        while played.due is not None:
            text = self._ask(f"step {len(played.marks) + 1} > ")
            try:
                attempt = Attempt(parse_step(text))
                verdict = played.attempt(attempt)
            except SchoolError as error:
                self._refuse(str(error))
                continue
            attempts.append(attempt)
            self._say(verdict)
            printed = self._print_new(played, printed)

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

    def document(self, name: str, day: date) -> Document:
        from ventiuna.reports.lesson import result_document

        return result_document(self.result, name, day)

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


class _TypedCatch(_TypedRounds):
    """Catch the error: the learner watches the dealer's steps."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        super().__init__(lesson, out)
        self._rounds: list[list[Watched]] = []
        self._kinds = error_kinds(lesson)

    def _round(self, number: int) -> None:
        watched: list[Watched] = []
        self._rounds.append(watched)
        played = CatchRound(self._lesson, number)
        printed = self._print_new(played, 0)
        while not played.is_over:
            try:
                reaction = self._react(played)
            except SchoolError as error:
                self._refuse(str(error))
                continue
            played.watch(reaction)
            watched.append(reaction)
            if played.verdict is not None:
                self._say(played.verdict)
            printed = self._print_new(played, printed)

    def _react(self, played: CatchRound) -> Watched:
        text = self._ask(f"{self._deed(played)} > ").lower()
        if text in PASS_WORDS:
            return Watched()
        if text not in STOP_WORDS:
            raise SchoolError("Press Enter to let the step pass, or type s to stop the dealer.")
        for number, kind in enumerate(self._kinds, start=1):
            self._out.print(f"{number:4} {error_title(self._lesson.rules, kind)}")
        return Watched(True, self._named(), self._instead())

    def _deed(self, played: CatchRound) -> str:
        assert played.shown is not None
        return describe_deed(self._lesson.rules, played.shown, played.hands)

    def _named(self) -> ErrorKind:
        while True:
            text = self._ask("Which error? > ")
            if text.isdecimal() and 1 <= int(text) <= len(self._kinds):
                return self._kinds[int(text) - 1]
            self._refuse(f"Type a number from 1 to {len(self._kinds)}.")

    def _instead(self) -> StepInput | None:
        while True:
            try:
                return parse_step(self._ask("The right step? > "))
            except SchoolError as error:
                self._refuse(str(error))

    def _say(self, verdict: CatchVerdict) -> None:
        self._out.print(_OUTCOMES[verdict.outcome], style="bold")
        if verdict.outcome is CatchOutcome.CAUGHT:
            for right, what in ((verdict.named, "named"), (verdict.corrected, "corrected")):
                self._out.print(f"  {'Right' if right else 'Wrong'}: {what}.")
        numbers = f" ({', '.join(verdict.rules)})" if verdict.rules else ""
        error = f"{verdict.error}: {verdict.shown}" if verdict.error else ""
        for line in (error, verdict.answer, verdict.amount, f"{verdict.rule}{numbers}"):
            if line:
                self._out.print(f"  {line}")

    @property
    def result(self) -> CatchResult:
        return catch_result(self._lesson, self._rounds)

    def document(self, name: str, day: date) -> Document:
        from ventiuna.reports.lesson import catch_document

        return catch_document(self.result, name, day)

    def _end(self) -> None:
        result = self.result
        if result.steps:
            self._out.print(
                f"{result.caught} of {pluralize(len(result.errors), 'error')} caught, "
                f"{pluralize(len(result.false_alarms), 'false alarm')}: "
                f"{result.score} of 100 points."
            )


class _TypedPayouts(_TypedRounds):
    """A payout drill: the learner works out amounts."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        super().__init__(lesson, out)
        self._drill = PayoutDrill(lesson)

    def _begin(self, number: int) -> None:
        lesson = self._lesson
        self._out.print(f"{lesson.level.title}, payouts, seed {lesson.seed}", style="bold")

    def _round(self, number: int) -> None:
        while (step := self._drill.question) is not None:
            question = f"{describe_question(step)} {_HOW_MUCH[step.kind]} > "
            try:
                cents = read_answer(self._ask(question))
            except SchoolError as error:
                self._refuse(str(error))
                continue
            self._grade(self._drill.answer(cents))

    def _grade(self, answer: PayoutAnswer) -> None:
        self._out.print("Right." if answer.right else f"Wrong. {answer.explanation}")

    @property
    def result(self) -> PayoutResult:
        return PayoutResult(self._lesson, tuple(self._drill.answers))

    def document(self, name: str, day: date) -> Document:
        from ventiuna.reports.lesson import payouts_document

        return payouts_document(self.result, name, day)

    def _end(self) -> None:
        result = self.result
        if result.answers:
            self._out.print(f"{result.right} of {pluralize(len(result.answers), 'answer')} right.")


_HOW_MUCH = {StepKind.PAY: "Pay?", StepKind.TAKE: "Take?"}


class _JsonLines(_TypedRounds):
    """Rounds played by programs: a line in, a line out."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        super().__init__(lesson, out)
        self._prompt = _Silent(out)

    def _begin(self, number: int) -> None:
        self._write({"round": number, "level": self._lesson.level.id, "seed": self._lesson.seed})

    def _print_new(self, played: LessonRound | CatchRound, printed: int) -> int:
        lines = lesson_felt(played).lines
        self._write({"lines": lines[printed:], "done": len(played.done), "over": played.is_over})
        return len(lines)

    def _refuse(self, sentence: str) -> None:
        self._write({"problem": sentence})

    def _write(self, data: dict[str, object]) -> None:
        text = json_text(data, None) + "\n"
        sys.stdout.write(text if encodes_unicode(sys.stdout) else ascii_json(text))
        sys.stdout.flush()


class _JsonLesson(_JsonLines, _TypedLesson):
    def _say(self, verdict: Verdict) -> None:
        self._write({"verdict": verdict})

    def _end(self) -> None:
        self._write({"result": lesson_result_data(self.result)})


class _JsonCatch(_JsonLines, _TypedCatch):
    def _react(self, played: CatchRound) -> Watched:
        self._write({"dealer": self._deed(played)})
        word, *rest = self._ask("").split(maxsplit=2) or [""]
        if word in PASS_WORDS:
            return Watched()
        named = next((kind for kind in self._kinds if rest and kind == rest[0]), None)
        if word not in STOP_WORDS or (rest and named is None):
            known = ", ".join(self._kinds)
            raise SchoolError(f"Write go, or stop, the kind of error and the right step: {known}.")
        return Watched(True, named, parse_step(rest[1]) if len(rest) > 1 else None)

    def _say(self, verdict: CatchVerdict) -> None:
        self._write({"verdict": verdict})

    def _end(self) -> None:
        self._write({"result": catch_result_data(self.result)})


class _JsonPayouts(_JsonLines, _TypedPayouts):
    def _begin(self, number: int) -> None:
        self._write({"level": self._lesson.level.id, "seed": self._lesson.seed})

    def _ask(self, question: str) -> str:
        self._write({"question": question.removesuffix(" > ")})
        return super()._ask(question)

    def _grade(self, answer: PayoutAnswer) -> None:
        self._write({"answer": answer})

    def _end(self) -> None:
        self._write({"result": payout_result_data(self.result)})


class _Silent(Prompt):
    """A prompt that reads without printing a question or an echo."""

    def ask(self, question: str) -> str:
        line = sys.stdin.readline(LONGEST_LINE) if sys.stdin else ""
        if not line or len(line) == LONGEST_LINE:
            raise EOFError
        return line.strip()
