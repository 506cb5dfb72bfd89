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
  loading: "One moment …",
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
