"""A sample command line for each form of JSON that a command prints."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden"
RULES = "wsgc-2021-everything"
SMALL = "super-fun-21"  # one deck, so its analysis is fast
PROGRESSIVE = "wsgc-2021(jackpots=3c:1:seed=1000)"
TWO = ("--dealer", "Dee", "--supervisor", "Sam")
INSPECTED = ("--tens", "0", "--jokers", "2", "--cards-left", "52")
OLGA = ("--as", "Olga", "--reason", "a test")
OTTO = ("--as", "Otto", "--reason", "a test")

# Placeholders for test files: {played} is a house with rounds played, {house} one that the house
# commands create and run, and {folder} a separate folder.
SAMPLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "play": ((RULES, "--seed", "4"),),
    "rules list": ((),),
    "rules show": ((RULES,), ("super-fun-21",)),
    "rules options": ((), ("decks",), ("table_minimum",), ("jackpots",)),
    "rules explain": (("R-021", "D-07"),),
    "rules check": ((RULES,), ("{folder}/wrong.toml",)),
    "rules diff": ((RULES, SMALL),),
    "rules card": ((RULES,),),
    "rules procedure": ((RULES,),),
    "settle": ((str(GOLDEN / "more_rounds.json"),),),
    "deal": ((RULES, "--jackpots"),),
    "school": ((),),
    "edge": (("wsgc-2021", "--base", "10"), (SMALL, "--vary", "--effects", "--hands", "--sd")),
    "design": (
        (SMALL, "--edge", "0..", "--sd", "..", "--hits", "..", "--win", "..", "--base", "10"),
        (SMALL, "--vary", "bonus", "--pays", "2..2", "--edge", ".."),
    ),
    "hand": ((SMALL, "5c6d", "2h"), (SMALL, "5c6d", "Ah", "--base", "10")),
    "strategy": ((SMALL, "--worth", "0.01", "--base", "10"), (SMALL, "--chart", SMALL)),
    "rules layout": ((RULES,),),
    "dealer": ((RULES,), (RULES, "--up", "6")),
    "sidebets": ((RULES, "--spots", "2"),),
    "jackpot": ((RULES, "--meter", "5000", "--spots", "2"),),
    "count effects": ((SMALL,), (SMALL, "--base", "10")),
    "count design": ((SMALL, "--goal", "insurance"),),
    "count evaluate": ((SMALL, "--count", "level-one", "--sample", "2"),),
    "count index": ((SMALL, "--count", "level-one", "--most", "3", "--sample", "2"),),
    "count simulate": (
        ("wsgc-2021", "--count", "level-one", "--rounds", "20000", "--strategy", "chart",
         "--trip", "100"),
    ),
    "count compare": (
        ("wsgc-2021", "--count", "level-one", "--rounds", "20000", "--strategy", "chart"),
    ),
    "count jackpot": ((RULES, "--spots", "2", "--meter", "5000"),),
    "simulate": (
        (RULES, "--rounds", "2000", "--side", "all", "--session", "100", "--fall", "20",
         "--details"),
        (SMALL, "--rounds", "2000", "--count", "level-one", "--regret"),
    ),
    "par": ((SMALL, "--base", "10"),),
    "rules posting": ((RULES,),),
    "rules rack": ((RULES,),),
    "rules inspection": ((RULES,),),
    "rules ambiguities": (("wsgc-2021", "--base", "10", "--number", "D-07"),),
    "certify": (
        (SMALL, "--base", "10", "--rounds", "100000", "--lockstep", "200", "--folder", "{folder}"),
        (SMALL, "--policy", "{folder}/edge.jsonl.gz"),
    ),
    "figures": ((),),
    "conformance": ((),),
    "rng-sample": (("{folder}/sample", "--shoes", "2"),),
    "verify": ((str(GOLDEN / "shoe_record.json"),),),
    "table": (("--no-browser", "--database", "{folder}/own.sqlite"),),
    "serve": (("--database", "{played}"),),
    "audit": (("--database", "{played}"),),
    "recall": (
        ("2", "1", "--database", "{played}"),
        ("--account", "house", "--at", "2/1", "--database", "{played}"),
    ),
    "report": (("2026-09-21", "--zone", "UTC", "--no-theory", "--database", "{played}"),),
    "monitor": (("--database", "{played}"),),
    "backup": (("{folder}/copy.jsonl", "--database", "{played}"),),
    "restore": (("{folder}/copy.jsonl", "--database", "{folder}/restored.sqlite"),),
}  # fmt: skip

# The house commands, in the order needed to create and run a house. Every action has a reason.
# Declared operator commands print the same three forms, so not all of them need a line.
HOUSE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("house migrate", ("server", "--database", "postgresql:///house")),
    ("house create", ("--name", "Home")),
    (
        "house operators add",
        ("Olga", "--reason", "runs it", "--password-file", "{folder}/password"),
    ),
    ("house operators add", ("Ann", *OLGA, "--password-file", "{folder}/password")),
    ("house operators remove", ("Ann", *OLGA)),
    ("house people reset", ("Ann", *OLGA)),
    ("house floor list", ()),
    ("house money issue", ("Olga", "500", *OLGA)),
    ("house money redeem", ("Olga", "20.50", *OLGA)),
    ("house jackpots create", ("Big", PROGRESSIVE, "--maximum", "5000", *OLGA)),
    ("house jackpots seed", ("2", "10", *OLGA)),
    ("house jackpots recover", ("2", "10", *OLGA)),
    ("house jackpots correct", ("2", "up", "5", *OLGA)),
    ("house jackpots correct", ("2", "down", "5", *OLGA)),
    ("house jackpots receipts", ("2", "5", *OLGA)),
    ("house jackpots maximum", ("2", "none", *OLGA)),
    ("house jackpots advance-limit", ("2", "2000", *OLGA)),
    ("house jackpots suspend", ("2", *OLGA)),
    ("house jackpots resume", ("2", *OLGA)),
    ("house tables open", ("Den", PROGRESSIVE, *OLGA)),
    ("house jackpots unlink", ("3", "1", *OLGA)),
    ("house jackpots link", ("2", "3", "1", *OLGA)),
    ("house jackpots list", ()),
    ("house jackpots history", ("2",)),
    ("house jackpots unlink", ("3", "1", *OLGA)),
    ("house jackpots remove", ("2", *OLGA)),
    ("house tables drop", ("3", *OLGA)),
    ("house tables close", ("3", *OLGA)),
    ("house tables list", ()),
    ("house tables open", ("Checked", "super-fun-21", "--inspection", "required", *OLGA)),
    ("house tables inspect", ("5", "1", *INSPECTED, "--back", "red", *TWO, *OLGA)),
    ("house tables shuffle", ("5", *TWO, *OLGA)),
    ("house tables inspection", ("5",)),
    ("house tables close", ("5", *OLGA)),
    ("house tables box", ("5", *TWO, *OLGA)),
    (
        "house operators add",
        ("Otto", "--role", "owner", *OLGA, "--password-file", "{folder}/password"),
    ),
    ("house approvals require", ("on", *OTTO)),
    ("house money issue", ("Olga", "5", *OLGA)),
    ("house approvals approve", ("9", *OTTO)),
    ("house money issue", ("Olga", "5", *OLGA)),
    ("house approvals refuse", ("12", *OTTO)),
    ("house approvals list", ()),
    ("house rotate-key", ("--void-open-rounds", *OLGA)),
    ("house persons", ()),
    ("house status", ()),
)
