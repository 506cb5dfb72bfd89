"""Ventiuna: Spanish 21 and Super Fun 21, dealt, proven and explained.

    import ventiuna as vt

    vt.analyse(vt.rules("wsgc-2021", decks=8)).house_edge

The names below are loaded when they are first used, so `import ventiuna` itself is quick.
"""

TYPE_CHECKING = False  # as type checkers know it; `typing` itself takes longer than all of this
if TYPE_CHECKING:
    from ventiuna.cards import (
        card_text,
        parse_card,
        parse_cards,
    )
    from ventiuna.door.analysing import (
        analyse,
    )
    from ventiuna.door.counts import (
        compare_counts,
        index_numbers,
        jackpot_worth,
        removal_effects,
        simulate_count,
    )
    from ventiuna.door.house import (
        House,
        create_house,
        restore_house,
    )
    from ventiuna.door.lookups import (
        diff,
        explain,
        printed_layout,
        procedure,
        rule_card,
        rule_options,
        verify,
    )
    from ventiuna.door.papers import (
        ambiguities,
        pocket,
        posting,
    )
    from ventiuna.door.play import (
        HandInPlay,
        Round,
        Table,
    )
    from ventiuna.door.policies import (
        PolicyHand,
        PolicyValue,
        evaluate_policy,
    )
    from ventiuna.door.questions import (
        certify,
        dealer_outcomes,
        figures,
        hand,
        player,
        rules,
        settle,
        strategy,
    )
    from ventiuna.door.sheets import (
        design_count,
        evaluate_count,
        par,
    )
    from ventiuna.door.side_bets import (
        blackjacks,
        insurance,
        jackpot,
        jackpot_awards,
        match,
        super_bonus,
    )
    from ventiuna.door.simulating import (
        simulate,
    )
    from ventiuna.engine import (
        Refused,
        RoundState,
        Shoe,
        commands,
        events,
        execute,
        finish_round,
        options,
        view,
        waiting_for,
    )
    from ventiuna.engine.driver import (
        Player,
    )
    from ventiuna.engine.options import (
        ActionOption,
        AnswerOption,
        InsuranceOption,
        Option,
    )
    from ventiuna.engine.wager_options import (
        WagerOption,
    )
    from ventiuna.engine.waiting import (
        BlackjackAnswersWanted,
        CardWanted,
        DecisionWanted,
        InsuranceAnswersWanted,
        MetersWanted,
        NothingWanted,
        WagersWanted,
        Waiting,
    )
    from ventiuna.errors import (
        MissingExtra,
        VentiunaError,
    )
    from ventiuna.money import (
        money_text,
        parse_amount,
    )
    from ventiuna.notation import (
        read_rounds,
        record_of,
        replay,
        write_round,
    )
    from ventiuna.rules import (
        Rules,
        RulesError,
        canonical,
        change_rules,
        fingerprint,
        load_rules,
        preset_ids,
        rules_data,
        rules_from_data,
    )
    from ventiuna.strategy.players import (
        RandomPlayer,
        StrategyPlayer,
        steady_player,
    )

    __version__: str

_ROOMS = {
    "ventiuna.cards": (
        "card_text",
        "parse_card",
        "parse_cards",
    ),
    "ventiuna.door.analysing": ("analyse",),
    "ventiuna.door.simulating": ("simulate",),
    "ventiuna.door.counts": (
        "compare_counts",
        "index_numbers",
        "jackpot_worth",
        "removal_effects",
        "simulate_count",
    ),
    "ventiuna.door.house": (
        "House",
        "create_house",
        "restore_house",
    ),
    "ventiuna.door.lookups": (
        "diff",
        "explain",
        "printed_layout",
        "procedure",
        "rule_card",
        "rule_options",
        "verify",
    ),
    "ventiuna.door.papers": (
        "ambiguities",
        "pocket",
        "posting",
    ),
    "ventiuna.door.play": (
        "HandInPlay",
        "Round",
        "Table",
    ),
    "ventiuna.door.policies": (
        "PolicyHand",
        "PolicyValue",
        "evaluate_policy",
    ),
    "ventiuna.door.questions": (
        "certify",
        "dealer_outcomes",
        "figures",
        "hand",
        "player",
        "settle",
    ),
    "ventiuna.door.side_bets": (
        "blackjacks",
        "insurance",
        "jackpot",
        "jackpot_awards",
        "match",
        "super_bonus",
    ),
    "ventiuna.door.sheets": ("design_count", "evaluate_count", "par"),
    "ventiuna.engine": (
        "Refused",
        "RoundState",
        "Shoe",
        "commands",
        "events",
        "execute",
        "finish_round",
        "options",
        "view",
        "waiting_for",
    ),
    "ventiuna.engine.driver": ("Player",),
    "ventiuna.engine.options": (
        "ActionOption",
        "AnswerOption",
        "InsuranceOption",
        "Option",
    ),
    "ventiuna.engine.wager_options": ("WagerOption",),
    "ventiuna.engine.waiting": (
        "BlackjackAnswersWanted",
        "CardWanted",
        "DecisionWanted",
        "InsuranceAnswersWanted",
        "MetersWanted",
        "NothingWanted",
        "WagersWanted",
        "Waiting",
    ),
    "ventiuna.errors": (
        "MissingExtra",
        "VentiunaError",
    ),
    "ventiuna.money": (
        "money_text",
        "parse_amount",
    ),
    "ventiuna.notation": (
        "read_rounds",
        "record_of",
        "replay",
        "write_round",
    ),
    "ventiuna.rules": (
        "Rules",
        "RulesError",
        "canonical",
        "change_rules",
        "fingerprint",
        "load_rules",
        "preset_ids",
        "rules_data",
        "rules_from_data",
    ),
    "ventiuna.strategy.players": (
        "RandomPlayer",
        "StrategyPlayer",
        "steady_player",
    ),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}
_CALLABLE_ROOMS = ("rules", "strategy")  # rooms that are also functions of the door

__all__ = [
    "ActionOption",
    "AnswerOption",
    "BlackjackAnswersWanted",
    "CardWanted",
    "DecisionWanted",
    "HandInPlay",
    "House",
    "InsuranceAnswersWanted",
    "InsuranceOption",
    "MetersWanted",
    "MissingExtra",
    "NothingWanted",
    "Option",
    "Player",
    "PolicyHand",
    "PolicyValue",
    "RandomPlayer",
    "Refused",
    "Round",
    "RoundState",
    "Rules",
    "RulesError",
    "Shoe",
    "StrategyPlayer",
    "Table",
    "VentiunaError",
    "WagerOption",
    "WagersWanted",
    "Waiting",
    "ambiguities",
    "analyse",
    "blackjacks",
    "canonical",
    "card_text",
    "certify",
    "change_rules",
    "commands",
    "compare_counts",
    "create_house",
    "dealer_outcomes",
    "design_count",
    "diff",
    "evaluate_count",
    "evaluate_policy",
    "events",
    "execute",
    "explain",
    "figures",
    "fingerprint",
    "finish_round",
    "hand",
    "index_numbers",
    "insurance",
    "jackpot",
    "jackpot_awards",
    "jackpot_worth",
    "load_rules",
    "match",
    "money_text",
    "options",
    "par",
    "parse_amount",
    "parse_card",
    "parse_cards",
    "player",
    "pocket",
    "posting",
    "preset_ids",
    "printed_layout",
    "procedure",
    "read_rounds",
    "record_of",
    "removal_effects",
    "replay",
    "restore_house",
    "rule_card",
    "rule_options",
    "rules",
    "rules_data",
    "rules_from_data",
    "settle",
    "simulate",
    "simulate_count",
    "steady_player",
    "strategy",
    "super_bonus",
    "verify",
    "view",
    "waiting_for",
    "write_round",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from ventiuna.installed import version

        return version()
    from importlib import import_module

    if name in _CALLABLE_ROOMS:
        return import_module(f"ventiuna.{name}")
    room = _HOME.get(name)
    if room is None:
        raise AttributeError(f"module 'ventiuna' has no attribute {name!r}")
    return getattr(import_module(room), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, *_CALLABLE_ROOMS, "__version__"])
