"""Ventiuna: play, analyze and study Spanish 21 and Super Fun 21.

    import ventiuna as vt

    vt.analyze(vt.rules("wsgc-2021", decks=8)).house_edge

Public names are loaded on first use, so `import ventiuna` itself is fast.
"""

TYPE_CHECKING = False  # type checkers treat this as True; importing `typing` would be slow
if TYPE_CHECKING:
    from ventiuna.api.counts import (
        compare_counts,
        index_numbers,
        jackpot_worth,
        removal_effects,
        simulate_count,
    )
    from ventiuna.api.house import House, create_house, restore_house
    from ventiuna.api.play import HandInPlay, Round, Table
    from ventiuna.api.queries import (
        analyse,
        analyze,
        blackjacks,
        certify,
        dealer_outcomes,
        design,
        diff,
        explain,
        figures,
        hand,
        insurance,
        jackpot,
        jackpot_awards,
        match,
        player,
        printed_layout,
        procedure,
        rule_card,
        rule_options,
        rules,
        settle,
        strategy,
        super_bonus,
        verify,
    )
    from ventiuna.api.reports import ambiguities, design_count, evaluate_count, par, pocket, posting
    from ventiuna.api.simulation import PolicyHand, PolicyValue, evaluate_policy, simulate
    from ventiuna.cards import (
        card_text,
        parse_card,
        parse_cards,
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
    from ventiuna.engine.dealing import Player
    from ventiuna.engine.options import (
        ActionOption,
        AnswerOption,
        InsuranceOption,
        Option,
    )
    from ventiuna.engine.prompts import (
        BlackjackAnswersWanted,
        CardWanted,
        DecisionWanted,
        InsuranceAnswersWanted,
        MetersWanted,
        NothingWanted,
        SupervisorWanted,
        WagersWanted,
        Waiting,
    )
    from ventiuna.engine.wagers import WagerOption
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

_EXPORTS = {
    "ventiuna.api.counts": (
        "compare_counts",
        "index_numbers",
        "jackpot_worth",
        "removal_effects",
        "simulate_count",
    ),
    "ventiuna.api.house": (
        "House",
        "create_house",
        "restore_house",
    ),
    "ventiuna.api.play": (
        "HandInPlay",
        "Round",
        "Table",
    ),
    "ventiuna.api.queries": (
        "analyse",
        "analyze",
        "blackjacks",
        "certify",
        "dealer_outcomes",
        "design",
        "diff",
        "explain",
        "figures",
        "hand",
        "insurance",
        "jackpot",
        "jackpot_awards",
        "match",
        "player",
        "printed_layout",
        "procedure",
        "rule_card",
        "rule_options",
        "settle",
        "super_bonus",
        "verify",
    ),
    "ventiuna.api.reports": (
        "ambiguities",
        "design_count",
        "evaluate_count",
        "par",
        "pocket",
        "posting",
    ),
    "ventiuna.api.simulation": (
        "PolicyHand",
        "PolicyValue",
        "evaluate_policy",
        "simulate",
    ),
    "ventiuna.cards": (
        "card_text",
        "parse_card",
        "parse_cards",
    ),
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
    "ventiuna.engine.dealing": ("Player",),
    "ventiuna.engine.options": (
        "ActionOption",
        "AnswerOption",
        "InsuranceOption",
        "Option",
    ),
    "ventiuna.engine.prompts": (
        "BlackjackAnswersWanted",
        "CardWanted",
        "DecisionWanted",
        "InsuranceAnswersWanted",
        "MetersWanted",
        "NothingWanted",
        "SupervisorWanted",
        "WagersWanted",
        "Waiting",
    ),
    "ventiuna.engine.wagers": ("WagerOption",),
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
_MODULE_OF = {name: module for module, names in _EXPORTS.items() for name in names}
_CALLABLE_PACKAGES = ("rules", "strategy")  # packages that can also be called like functions

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
    "SupervisorWanted",
    "Table",
    "VentiunaError",
    "WagerOption",
    "WagersWanted",
    "Waiting",
    "ambiguities",
    "analyse",
    "analyze",
    "blackjacks",
    "canonical",
    "card_text",
    "certify",
    "change_rules",
    "commands",
    "compare_counts",
    "create_house",
    "dealer_outcomes",
    "design",
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
        from ventiuna.package import version

        return version()
    from importlib import import_module

    if name in _CALLABLE_PACKAGES:
        return import_module(f"ventiuna.{name}")
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'ventiuna' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULE_OF, *_CALLABLE_PACKAGES, "__version__"])
