"""Gymnasium's own checks, registration, and a single seat as learners use it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ventiuna.envs
from ventiuna import Refused, RulesError
from ventiuna.core import actions
from ventiuna.envs import FIELDS, NotLegal, Table21, VectorTable21
from ventiuna.kernels import vector_env_layout as at

SPANISH = "ventiuna/Spanish21-v0"
SUPER_FUN = "ventiuna/SuperFun21-v0"


def after_cards(cards: str, **keywords: Any) -> tuple[Table21, dict[str, Any]]:
    """A seat that is dealt these cards: hand, up card, hand, down card, and so on."""
    env = Table21(**keywords)
    _, info = env.reset(seed=1, options={"cards": cards})
    return env, info


def legal(env: Table21) -> set[str]:
    return {env.action_names[k] for k in np.flatnonzero(env.action_masks())}


# --- the checker ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "keywords"),
    [
        (SPANISH, {}),
        (SPANISH, {"rules": "wsgc-2021", "decks": 8, "episode": "round"}),
        (SPANISH, {"rules": "catfish-bend", "mask_in_observation": True}),
        (SPANISH, {"rules": "casino-card", "wagers": (1, 2, 5), "double_for_less": True}),
        (SUPER_FUN, {"wagers": (1, 4)}),
        (SUPER_FUN, {"decks": 2, "episode": "round"}),
        (SPANISH, {"rules": "blackjack"}),
    ],
)
def test_gymnasium_finds_no_problems(name: str, keywords: dict[str, Any]) -> None:
    env = gym.make(name, render_mode="ansi", **keywords)  # wrapped in the passive checker
    env.reset(seed=3)
    for _ in range(25):
        over = env.step(env.action_space.sample())[2]
        if over:
            env.reset()
    check_env(env.unwrapped)


def test_importing_registers_the_ids() -> None:
    assert set(ventiuna.envs.IDS) <= set(gym.registry)
    program = (
        "import gymnasium as gym; "
        "env = gym.make('ventiuna.envs:ventiuna/SuperFun21-v0'); "
        "print(env.unwrapped.settings.rules.name)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "super-fun-21", done.stderr


def test_registering_twice_is_harmless() -> None:
    ventiuna.envs.register()


def test_rules_by_keyword() -> None:
    env = gym.make(SPANISH, rules="wsgc-2021", decks=8, soft_17="stand").unwrapped
    assert isinstance(env, Table21)
    assert (env.settings.rules.name, env.settings.rules.decks) == ("wsgc-2021", 8)
    vector = gym.make_vec(SPANISH, num_envs=3, decks=4)
    assert isinstance(vector, VectorTable21)
    assert vector.settings.rules.decks == 4


@pytest.mark.parametrize(
    ("keywords", "field"),
    [
        ({"rules": "no-such-rules"}, "no-such-rules"),
        ({"decks": 0}, "decks"),
        ({"episode": "day"}, "episode"),
        ({"wagers": ()}, "wagers"),
        ({"wagers": 4}, "wagers"),
        ({"wagers": "12"}, "wagers"),
        ({"wagers": (0,)}, "wagers"),
        ({"wagers": (1,) * 17}, "wagers"),
        ({"values": "guess"}, "values"),
        ({"render_mode": "film"}, "render_mode"),
    ],
)
def test_invalid_settings_are_reported(keywords: dict[str, Any], field: str) -> None:
    with pytest.raises(RulesError, match=field):
        Table21(**keywords)


def test_a_wager_outside_the_limits_is_refused() -> None:
    with pytest.raises(Refused):
        Table21(base=1)
    with pytest.raises(Refused):
        Table21(wagers=(1, 100_000))
    for wrong in ("five", 500.0, True):
        with pytest.raises(Refused):
            Table21(base=wrong)  # type: ignore[arg-type]


def test_without_gymnasium_one_sentence_says_which_extra_to_install() -> None:
    program = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import ventiuna\n"
        "try:\n    import ventiuna.envs\n"
        "except ventiuna.MissingExtra as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'ventiuna[envs]'" in done.stdout, done.stderr


# --- seeds ------------------------------------------------------------------------------------


def play(env: Table21, seed: int, steps: int) -> list[Any]:
    observation, info = env.reset(seed=seed)
    generator = np.random.default_rng(seed)
    told: list[Any] = [observation.tolist()]
    for _ in range(steps):
        choice = generator.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, _, info = env.step(choice)
        told.append((observation.tolist(), reward, over))
        if over:
            observation, info = env.reset()
    return told


def test_a_seed_gives_the_same_cards() -> None:
    assert play(Table21(), 5, 150) == play(Table21(), 5, 150)
    assert play(Table21(), 5, 10) != play(Table21(), 6, 10)


def test_a_seed_starts_a_new_shoe() -> None:
    env = Table21(episode="round")
    first, _ = env.reset(seed=8)
    env.step(actions.STAND)
    again, _ = env.reset(seed=8)
    assert first.tolist() == again.tolist()


# --- rounds and rewards -----------------------------------------------------------------------


def test_a_round_is_rewarded_when_it_is_closed() -> None:
    env, _ = after_cards("9c 6d 7h Kc 5s Qd", episode="round")
    observation, reward, over, _, info = env.step(actions.HIT)  # a plain 21 wins at once
    assert (reward, over, info["rounds"]) == (1.0, True, 1)
    assert observation[at.PHASE] == at.OVER


def test_a_bonus_is_paid_in_base_wagers() -> None:
    env, _ = after_cards("6c 2d 7c Kc 8c", episode="round")
    reward = env.step(actions.HIT)[1]
    assert reward == 2.0  # 6-7-8 of one suit pays 2 to 1


def test_insurance_and_dealer_blackjack() -> None:
    env, _ = after_cards("9c As 7h Kc", episode="round", base=1000)
    assert legal(env) == {"insure", "decline"}
    _, reward, over, _, _ = env.step(at.INSURE)
    assert (reward, over) == (0.0, True)  # half a wager pays 2 to 1
    env.reset(options={"cards": "9c As 7h Kc"})
    assert env.step(at.DECLINE)[1] == -1.0


def test_a_blackjack_is_taken_or_kept() -> None:
    env, _ = after_cards("Ac 6d Kh 9c 5s 9d", episode="round", base=1000)
    assert legal(env) == {"take", "keep"}
    assert env.step(at.TAKE)[1] == 1.5
    env.reset(options={"cards": "Ac 6d Kh 9c 9s 9d"})
    env.step(at.KEEP)
    assert legal(env) == {"stand", "double"}
    env.step(actions.DOUBLE)
    assert env.table.round.spots[1].hands[0].total == 20


def test_split_hands_one_after_the_other() -> None:
    env, _ = after_cards("8c 6d 8h 9c 3s Kd Kh 9s", episode="round")
    observation = env.step(actions.SPLIT)[0]
    assert observation[[at.HANDS, at.HAND, at.SPLIT, at.TOTAL]].tolist() == [2, 0, 1, 11]
    env.step(actions.DOUBLE)
    assert "rescue" not in legal(env)
    # The doubled 21 was paid; the second eight has its own card.
    observation = env.table.observation(1)
    assert observation[[at.HAND, at.TOTAL, at.DOUBLINGS]].tolist() == [1, 18, 0]
    assert env.step(actions.STAND)[1] == 3.0


def test_double_for_less_is_an_option() -> None:
    cards = "5c 6d 6h 9c 9s Kd"
    env, _ = after_cards(cards, episode="round", base=1000)
    assert "double for less" not in legal(env)
    env, _ = after_cards(cards, episode="round", base=1000, double_for_less=True, values="fresh")
    assert "double for less" in legal(env)
    env.step(at.DOUBLE_FOR_LESS)
    hand = env.table.round.spots[1].hands[0]
    assert hand.wager == 1000 + env.settings.rules.small_chip_unit
    assert env.step(actions.STAND)[1] == pytest.approx(hand.wager / 1000)


def test_a_strict_environment_says_why_there_is_no_double_for_less() -> None:
    offers = {"strict": True, "double_for_less": True}
    env, _ = after_cards("5c 6d 6h 9c", rules="super-fun-21", **offers)
    with pytest.raises(Refused, match="doesn't offer doubling for less"):
        env.step(at.DOUBLE_FOR_LESS)
    env, _ = after_cards("5c 6d 6h 9c", small_chip_unit="5", **offers)  # the whole wager
    with pytest.raises(NotLegal, match=r"isn't legal now\. Choose from: stand, hit, double"):
        env.step(at.DOUBLE_FOR_LESS)


def test_the_observation_shows_a_double_for_less() -> None:
    """Rescuing it costs more than half of the wager, which the player must know."""
    env, _ = after_cards("5c 6d 6h 9c 2s", double_for_less=True, base=1000, values="fresh")
    observation, _, _, _, info = env.step(at.DOUBLE_FOR_LESS)
    assert observation[[at.DOUBLINGS, at.FOR_LESS]].tolist() == [1, 1]
    assert info["action_values"][actions.RESCUE] == -1.0
    assert info["action_values"][actions.STAND] > -1.0


def test_a_wager_is_the_first_action() -> None:
    env = Table21(wagers=(1, 3), base=1000, episode="round")
    observation, _ = env.reset(seed=2, options={"cards": "Kc 6d Kh 9c Kd"})
    assert observation[at.PHASE] == at.WAGER
    assert legal(env) == {"wager 1", "wager 3"}
    observation, reward, *_ = env.step(at.FIRST_WAGER + 1)
    assert reward == 0.0
    assert observation[at.LEVEL] == 1
    assert env.step(actions.STAND)[1] == 3.0


def test_rounds_before_the_first_choice_are_reported() -> None:
    """After a dealer blackjack there is nothing to choose."""
    env = Table21(insurance=False)
    _, info = env.reset(seed=2, options={"cards": "9c Ks 7h Ac Kc 6d Kh 9c"})
    assert (info["passed"], info["rounds"]) == (-1.0, 1)


def test_a_shoe_ends_with_the_cut_card() -> None:
    env = Table21(decks=2)
    observation, _ = env.reset(seed=4)
    rounds = 0
    left = int(observation[at.LEFT])
    over = False
    while not over:
        observation, _, over, _, info = env.step(actions.STAND)
        rounds += info["rounds"]
        assert observation[at.LEFT] < left or info["rounds"]
        left = int(observation[at.LEFT])
    cut = env.settings.rules.shoe_size * (100 - env.settings.rules.cut_card_percent) // 100
    assert left <= cut
    assert rounds > 5
    with pytest.raises(NotLegal, match="Reset"):
        env.step(actions.STAND)
    observation, _ = env.reset()
    assert observation[at.LEFT] > cut


def test_a_round_leaves_the_shoe_for_the_next() -> None:
    env = Table21(episode="round")
    observation, _ = env.reset(seed=4)
    left = observation[at.LEFT]
    over = False
    while not over:
        over = env.step(actions.STAND)[2]
    observation, _ = env.reset()
    assert left > observation[at.LEFT] > env.settings.rules.shoe_size // 2


def test_unseen_cards() -> None:
    env, _ = after_cards("9c 6d 7h Kc")
    observation = env.table.observation(1)
    unseen = dict(zip(FIELDS, observation.tolist(), strict=True))
    full = env.settings.rules.decks * 4
    assert unseen["unseen_6"] == unseen["unseen_7"] == unseen["unseen_9"] == full - 1
    assert unseen["unseen_10"] == 3 * full  # the down card is hidden
    assert unseen["cards_left"] == env.settings.rules.shoe_size - 4
    assert (unseen["rank_9"], unseen["rank_7"], unseen["suits"]) == (1, 1, 0b0101)
    assert unseen["up"] == 1 + 21  # the six of diamonds


# --- illegal actions --------------------------------------------------------------------------


def test_an_illegal_action_is_replaced_by_the_default() -> None:
    env, _ = after_cards("Kc 6d Kh 9c Kd", episode="round")
    _, reward, over, _, info = env.step(actions.RESCUE)
    assert (reward, over, info["illegal"]) == (1.0, True, True)


def test_strict_environments_say_why() -> None:
    env, _ = after_cards("Kc 6d 9h 9c Kd", strict=True)
    with pytest.raises(Refused, match="equal value"):
        env.step(actions.SPLIT)
    with pytest.raises(ValueError, match=r"action must be the number of an action .*, not 99"):
        env.step(99)
    with pytest.raises(Refused):
        env.step(at.INSURE)
    with pytest.raises(NotLegal, match="needs an environment with double_for_less=True"):
        env.step(at.DOUBLE_FOR_LESS)
    assert env.step(actions.STAND)[1] == 1.0


# --- exact values -----------------------------------------------------------------------------


def test_values_match_the_analyzer() -> None:
    from ventiuna.analysis import hand_values

    env, info = after_cards("5c 2h 6d Kc", values="fresh")
    expected = hand_values("wsgc-spanish-21", "5c 6d", "2h", base=500, super_bonus=True)
    for found in expected.actions:
        action = actions.ACTION_NAMES.index(found.action)
        assert info["action_values"][action] == pytest.approx(found.ev, abs=1e-12)
    assert info["action_values"][actions.SPLIT] == -np.inf
    _, _, _, _, info = env.step(actions.HIT)
    costs = {found.action: expected.best.ev - found.ev for found in expected.actions}
    assert info["regret"] == pytest.approx(costs["hit"], abs=1e-12)


def test_values_of_this_shoe_account_for_removed_cards() -> None:
    cards = "Kc 6d Kh 9c Kd  5c 2h 6d Kc"
    env, _ = after_cards(cards, values="shoe")
    info = env.step(actions.STAND)[4]
    _, fresh = after_cards("5c 2h 6d Kc", values="fresh")
    difference = np.abs(
        info["action_values"][actions.DOUBLE] - fresh["action_values"][actions.DOUBLE]
    )
    assert 1e-5 < difference < 0.05


def test_values_of_wagers_insurance_and_blackjacks() -> None:
    env, info = after_cards("Ac As Kh 9c", values="shoe", wagers=(1, 2), rules="super-fun-21")
    values = info["action_values"][at.FIRST_WAGER :]
    assert values[1] == pytest.approx(2 * values[0])
    assert -0.02 < values[0] < 0
    info = env.step(at.FIRST_WAGER)[4]
    assert info["action_values"][at.DECLINE] == 0.0
    assert -0.5 < info["action_values"][at.INSURE] < 0
    info = env.step(at.INSURE)[4]
    assert info["regret"] > 0
    assert info["action_values"][at.TAKE] == 1.0
    assert info["action_values"][at.KEEP] < 2.0


def test_best_play_has_no_regret() -> None:
    env = Table21(values="shoe", episode="round")
    _, info = env.reset(seed=9)
    for _ in range(40):
        _, _, over, _, info = env.step(int(np.argmax(info["action_values"])))
        assert info["regret"] == 0.0
        if over:
            _, info = env.reset()


# --- pictures ---------------------------------------------------------------------------------


def test_the_table_as_text() -> None:
    env, _ = after_cards("9c 6d 7h Kc Kd Qc", render_mode="ansi")
    text = env.render()
    assert text is not None
    assert "6♦ ??" in text
    assert "9♣ 7♥: 16" in text
    assert "K♣" not in text
    env.step(actions.STAND)
    assert "dealer bust" in str(env.render())


def test_the_table_can_be_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    env, _ = after_cards("9c 6d 7h Kc Kd Qc", render_mode="human")
    assert env.render() is None
    env.step(actions.STAND)
    assert "9♣ 7♥: 16" in capsys.readouterr().out
