"""The text table: readable questions, exact rewards, the OpenEnv adapter and the benchmark."""

from __future__ import annotations

import sys
from abc import ABC
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

import ventiuna as vt
from examples import exact_reward, text_benchmark
from examples.exact_reward import learn_exactly, rounds_to
from examples.text_benchmark import baselines, play
from ventiuna.envs import NotLegal, TextTable21, openenv
from ventiuna.envs.text_env import PENALTY, read_answer
from ventiuna.rules import RulesError, load_rules

HAND = "5c 2h 6d"  # 5 and 6 against a 2
RULES = "wsgc-spanish-21"


def test_the_reward_is_the_exact_advantage() -> None:
    table = TextTable21(RULES)
    prompt = table.reset(seed=1, cards=HAND)
    assert prompt == (
        "The dealer shows 2h. Your hand: 5c 6d (11, wager $5.00). "
        "Choose: stand, hit, double, surrender."
    )
    exact = {action.action: action.ev for action in vt.hand(RULES, "5c 6d", "2h").actions}
    assert table.values() == pytest.approx(exact)
    turn = table.step("I'd rather not double, so I hit.")
    assert (turn.action, turn.best, turn.understood) == ("hit", "double", True)
    assert turn.reward == pytest.approx(exact["hit"] - exact["double"])
    assert turn.regret == -turn.reward


def test_rewards_can_be_results() -> None:
    table = TextTable21(RULES, reward="result")
    table.reset(seed=1, cards="Kc 2h Kd")
    turn = table.step("stand")
    assert turn.is_over
    assert turn.reward == turn.result
    assert turn.text.startswith("The dealer has 2h")
    assert ("You won $5" in turn.text) is (turn.result == 1.0)
    with pytest.raises(NotLegal, match="The round is over"):
        table.step("stand")


@pytest.mark.parametrize("answer", ["", "fold", "split", "understand", "double-double"])
def test_an_answer_without_a_legal_choice_costs_a_wager(answer: str) -> None:
    table = TextTable21(RULES)
    table.reset(seed=1, cards=HAND)
    turn = table.step(answer)
    assert (turn.action, turn.understood) == ("stand", False)
    assert turn.reward == -turn.regret - PENALTY


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Double double!", "double-double"),
        ("**Double-Double**", "double-double"),
        ("not double-double: double", "double"),
        ("HIT", "hit"),
        ("<answer>stand</answer>", "stand"),
        ("white", ""),
    ],
)
def test_the_last_choice_named_counts(answer: str, expected: str) -> None:
    assert read_answer(answer, ("stand", "hit", "double", "double-double")) == expected


def test_an_answer_must_be_a_string() -> None:
    table = TextTable21(RULES)
    question = table.reset(seed=1, cards=HAND)
    for answer in (None, b"hit", 5):
        with pytest.raises(NotLegal, match="An answer must be a string, not"):
            table.step(answer)  # type: ignore[arg-type]
    assert table.prompt == question
    assert not table.is_over


def test_insurance_and_blackjacks_are_asked_in_words() -> None:
    table = TextTable21(RULES)
    table.reset(seed=1, cards="9c Ah 9d")
    assert "insure against a dealer blackjack? Choose: insure, decline." in table.prompt
    turn = table.step("decline")
    assert (turn.regret, turn.best) == (0.0, "decline")
    table.reset(seed=1, cards="Ac 7h Kd")
    assert table.choices == ("take", "keep")


def test_rounds_repeat_and_split_hands_are_numbered() -> None:
    table, again = TextTable21(RULES), TextTable21(RULES)
    assert [table.reset(seed=n) for n in range(5)] == [again.reset(seed=n) for n in range(5)]
    table.reset(seed=1, cards="8c 6h 8d")
    assert "This is hand 1 of 2." in table.step("split").text


def test_instructions_follow_the_rules() -> None:
    spanish = TextTable21("wsgc-2021", double_double=True).instructions
    assert "6 48-card Spanish decks" in spanish
    assert "3 to 2 (5 cards)" in spanish
    assert "which must total 21" in spanish
    assert "up to 3 times" in spanish
    assert "52-card decks" in TextTable21("blackjack").instructions
    with pytest.raises(RulesError, match="Use exact or result"):
        TextTable21(reward="money")


# --- Benchmark ---


def test_baselines_rank_as_expected() -> None:
    scores = {name: play(agent, RULES, 40) for name, agent in baselines(RULES).items()}
    assert scores["optimal"].regret == 0.0
    assert scores["optimal"].mistakes == 0
    assert 0.0 <= scores["chart"].regret_per_hand < 0.01
    assert scores["random"].regret_per_hand > 0.2
    assert all(score.hands == 40 and not score.not_understood for score in scores.values())


@pytest.mark.parametrize(
    ("example", "words", "sentence"),
    [
        (text_benchmark, ["nope"], "rules = nope: no such preset"),
        (text_benchmark, ["--hands", "0"], "--hands must be at least 1"),
        (exact_reward, ["nope"], "rules = nope: no such preset"),
        (exact_reward, ["--rounds", "nan"], "must be at least 100"),
    ],
)
def test_the_examples_refuse_bad_arguments(
    example: ModuleType,
    words: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["example", *words])
    with pytest.raises(SystemExit, match="2"):
        example.main()
    assert sentence in capsys.readouterr().err


def test_exact_rewards_teach_quickly() -> None:
    points = list(learn_exactly(load_rules("super-fun-21"), 300, points=1))
    assert points[-1].rounds >= 300
    assert points[-1].regret < 0.15  # without learning, it is 0.163
    assert rounds_to(points, 0.15) == points[-1].rounds
    assert rounds_to(points, 0.0) is None


# --- OpenEnv ---


class _Message(BaseModel):
    metadata: dict[str, Any] = {}


class _Observation(_Message):
    done: bool = False
    reward: float | None = None


class _State(BaseModel):
    episode_id: str | None = None
    step_count: int = 0


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The adapter, with stand-ins for OpenEnv's base classes, which aren't installed."""
    interfaces, types = ModuleType("interfaces"), ModuleType("types")
    vars(interfaces)["Environment"] = type("Environment", (ABC,), {})
    vars(types).update(Action=_Message, Observation=_Observation, State=_State)
    for name in ("openenv", "openenv.core", "openenv.core.env_server"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "openenv.core.env_server.interfaces", interfaces)
    monkeypatch.setitem(sys.modules, "openenv.core.env_server.types", types)
    openenv._classes.cache_clear()
    yield openenv
    openenv._classes.cache_clear()


def test_without_openenv_the_adapter_says_what_to_install() -> None:
    openenv._classes.cache_clear()
    with pytest.raises(ImportError, match="pip install openenv-core"):
        openenv.OpenTable21  # noqa: B018  # loads it


def test_the_openenv_adapter_plays_the_same_round(adapter: Any) -> None:
    env, table = adapter.OpenTable21(rules=RULES), TextTable21(RULES)
    first = env.reset(seed=1, episode_id="one", cards=HAND)
    assert first.text.endswith(table.reset(seed=1, cards=HAND))
    assert (first.done, first.choices) == (False, table.choices)
    message = first
    while not table.is_over:
        turn = table.step("hit")
        message = env.step(adapter.PlayerAnswer(text="hit"))
        assert (message.text, message.reward, message.done) == (
            turn.text,
            turn.reward,
            turn.is_over,
        )
        assert (message.regret, message.best) == (turn.regret, turn.best)
    assert message.choices == ()
    assert (env.state.episode_id, env.state.step_count > 0) == ("one", True)
