export const common = {
  brand: "Ventiuna",
  home: "Lobby",
  pages: {
    lobby: "Tables",
    study: "Study",
    drills: "Drills",
    session: "Your play",
    school: "Dealer's school",
    history: "History",
    house: "House",
    rules: "Rules",
  },
  otherPages: { table: "Table", console: "Dealer's console" } as Record<string, string>,
  title: (page: string) => (page ? `${page} · Ventiuna` : "Ventiuna"),
  close: "Close",
  loading: "One moment …",
  notFetched: "This page can't be fetched: the house does not answer.",
  tryAgain: "Try again",
  away: "The house can't be reached.",
  keys: {
    button: "Keys",
    here: "On this page",
    pages: {
      drills: [
        ["H S D P U C", "hit, stand, double, split, surrender, rescue"],
        ["I N", "insurance, no insurance"],
        ["Enter", "the next hand"],
      ],
      school: [
        ["0", "choose a place of the dealer"],
        ["1 … 7", "choose a wager of the spot"],
        ["/", "type the step"],
        ["letters", "the step whose button shows it"],
      ],
      console: [["Ctrl Z", "take the last entry back"]],
      history: [
        ["← →", "one step back, one step on"],
        ["Home End", "to the first step, to the last"],
      ],
    } as Record<string, [key: string, what: string][]>,
  },
  missing: "There is no such page.",
  toLobby: "To the tables",
  failed: (sentence: string) => `That did not work: ${sentence}`,
  independent:
    "Ventiuna is an independent implementation for play money and study. The names of the games are their owners' marks.",
  cards: {
    ranks: ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
    suits: ["clubs", "diamonds", "hearts", "spades"],
    name: (rank: string, suit: string) => `${rank} of ${suit}`,
    hidden: "card face down",
  },
};
