"""Several seats at one table, under PettingZoo's contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from ventiuna import Refused, RulesError
from ventiuna.envs import NotLegal, Seats21, Table21
from ventiuna.kernels import vector_env_layout as at

KINDS: list[dict[str, Any]] = [
    {},
    {"rules": "super-fun-21", "seats": 2, "wagers": (1, 2)},
    {"rules": "wsgc-2021", "decks": 8, "seats": 6, "episode": "round"},
]


@pytest.mark.filterwarnings("ignore:Observation")  # a dict with the mask, as PettingZoo recommends
@pytest.mark.parametrize("keywords", KINDS)
def test_pettingzoo_finds_no_problems(keywords: dict[str, Any]) -> None:
    api_test(Seats21(**keywords), num_cycles=150)
    seed_test(lambda: Seats21(**keywords), num_cycles=60)


def play(env: Seats21, seed: int) -> tuple[dict[str, float], list[str]]:
    """Play random legal actions to the end of the episode; return rewards by seat and who acted."""
    env.reset(seed=seed)
    generator = np.random.default_rng(seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    acting = []
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        totals[agent] += reward
        if over or cut:
            env.step(None)
            continue
        acting.append(agent)
        env.step(generator.choice(np.flatnonzero(observation["action_mask"])))
    return totals, acting


def test_each_seat_gets_its_own_reward() -> None:
    env = Seats21(seats=3, episode="round", base=1000)
    totals, _ = play(env, 7)
    from ventiuna.engine.events import WagerSettled

    nets = dict.fromkeys(env.possible_agents, 0.0)
    for event in env.table.last_events:
        if isinstance(event, WagerSettled):
            nets[f"seat_{event.spot - 1}"] += event.net / 1000
    assert totals == nets
    assert any(nets.values())


def test_seats_act_from_the_dealers_left() -> None:
    env = Seats21(seats=3, wagers=(1, 2), episode="round")
    _, acting = play(env, 3)
    assert acting[:3] == ["seat_0", "seat_1", "seat_2"]


def test_a_seat_out_of_turn_has_no_choice() -> None:
    env = Seats21(seats=2)
    env.reset(seed=1)
    waiting = next(agent for agent in env.agents if agent != env.agent_selection)
    seen = env.observe(waiting)
    assert seen["observation"][at.PHASE] == at.OVER
    assert not seen["action_mask"].any()


def test_every_seat_sees_all_cards() -> None:
    env = Seats21(seats=4)
    env.reset(seed=1)
    unseen = [env.observe(agent)["observation"][at.UNSEEN :].sum() for agent in env.agents]
    assert set(unseen) == {env.settings.rules.shoe_size - 9}


def test_a_table_limits_the_number_of_seats() -> None:
    with pytest.raises(RulesError, match="seats"):
        Seats21(seats=99)


@pytest.mark.parametrize(
    ("keyword", "value", "sentence"),
    [
        ("mask_in_observation", True, "only Table21 has this keyword"),
        ("values", "guess", "Use shoe or fresh"),
        ("render_mode", "film", "Choose from: ansi, human"),
        ("double_for_less", "yes", "True or False"),
    ],
)
def test_invalid_settings_are_reported(keyword: str, value: Any, sentence: str) -> None:
    with pytest.raises(RulesError, match=f"{keyword} = {value}: .*{sentence}"):
        Seats21(**{keyword: value})


def test_a_seat_at_a_shared_table_has_the_same_values() -> None:
    cards = {"cards": "5c 2h 6d Kc"}
    alone, seats = Table21(values="fresh"), Seats21(seats=1, values="fresh")
    _, info = alone.reset(seed=1, options=cards)
    seats.reset(seed=1, options=cards)
    assert (seats.infos["seat_0"]["action_values"] == info["action_values"]).all()
    seats.step(1)
    assert seats.infos["seat_0"]["regret"] == alone.step(1)[4]["regret"] > 0


def test_best_play_has_no_regret() -> None:
    env = Seats21(seats=3, wagers=(1, 2), episode="round", values="shoe")
    env.reset(seed=5)
    while not any(env.terminations.values()):
        agent = env.agent_selection
        assert agent is not None
        env.step(int(np.argmax(env.infos[agent]["action_values"])))
        assert env.infos[agent]["regret"] == 0.0


def test_strict_tables_say_why_and_change_nothing() -> None:
    env = Seats21(seats=2, strict=True)
    env.reset(seed=1, options={"cards": "Kc 7h 6d 9s 3s"})
    with pytest.raises(Refused, match="equal value"):
        env.step(4)
    assert env.agent_selection == "seat_0"
    assert env.observe("seat_0")["observation"][at.TOTAL] == 19


def test_reset_can_prescribe_cards() -> None:
    env = Seats21(seats=2)
    with pytest.raises(NotLegal, match="Reset the environment"):
        env.step(0)
    env.reset(options={"cards": "5c 7h 6d 2s 3s"})  # first cards, up card, second cards
    assert env.observe("seat_0")["observation"][[at.TOTAL, at.CARDS]].tolist() == [7, 2]
    env.step(0)
    assert env.observe("seat_1")["observation"][[at.TOTAL, at.CARDS]].tolist() == [10, 2]
    assert env.infos["seat_1"]["passed"] == 0.0


def test_the_table_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = Seats21(seats=2, render_mode="human")
    env.reset(seed=1)
    env.render()
    assert "spot 2" in capsys.readouterr().out
    assert env.action_names[0] == "stand"
    env.close()
