// Display settings, stored only in this browser.

const KEPT = "ventiuna.settings";

/** What each setting can be. */
const OPTIONS = {
  theme: ["auto", "dark", "light"], // auto: follow the system
  felt: ["evergreen", "claret", "midnight"],
  deck: ["two", "four"],
  speed: [0.5, 1, 2, 0], // 0: instant
  coach: ["off", "asked", "mistakes", "always"],
  coach_shoe: ["this", "fresh"],
  guard: [0, 10, 25], // cents per dollar; 0: off
  mistakes: [0, 1, 5], // cents per dollar; cheaper choices aren't reported as mistakes
  log: ["talk", "detail"], // what a dealer would say, or every entry
  sound: [false, true],
  guide: [false, true], // explain the first round
  verbosity: ["all", "mine", "results"],
  letters: [false, true], // single-letter shortcuts
} as const;
type Options = typeof OPTIONS;

export type Chosen = { -readonly [Name in keyof Options]: Options[Name][number] } & {
  keys: Record<string, string>; // changed keys by action
};

const USUAL: Chosen = {
  theme: "auto",
  felt: "evergreen",
  deck: "two",
  speed: 1,
  coach: "mistakes",
  coach_shoe: "this",
  guard: 0,
  mistakes: 1,
  log: "talk",
  sound: false,
  guide: true,
  verbosity: "all",
  letters: true,
  keys: {},
};

const DARK = "(prefers-color-scheme: dark)";
const isDark = (): boolean => typeof matchMedia !== "function" || matchMedia(DARK).matches;

class Settings {
  chosen = $state<Chosen>({ ...USUAL, ...kept() });

  constructor() {
    // Another window changed the settings.
    addEventListener("storage", (event) => {
      if (event.key === KEPT) this.chosen = { ...USUAL, ...kept() };
    });
    if (typeof matchMedia === "function") matchMedia(DARK).addEventListener?.("change", () => this.show());
    this.show();
  }

  set<Name extends keyof Chosen>(name: Name, value: Chosen[Name]): void {
    this.chosen[name] = value;
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.chosen));
    } catch {
      // no storage: the settings last until the page is closed
    }
  }

  /** Whether a choice that costs this share of the wager counts as a mistake. */
  isMistake(cost: number): boolean {
    return cost > 0 && cost * 100 >= this.chosen.mistakes;
  }

  /** Apply the settings to the page. */
  show(): void {
    const { theme, felt, deck } = this.chosen;
    const root = document.documentElement.dataset;
    root["theme"] = theme === "auto" ? (isDark() ? "dark" : "light") : theme;
    root["felt"] = felt;
    root["deck"] = deck;
  }
}

/** The stored settings, without anything that this version doesn't know. */
function kept(): Partial<Chosen> {
  try {
    const found = Object(JSON.parse(localStorage.getItem(KEPT) ?? "{}")) as Record<string, unknown>;
    const fits = ([name, value]: [string, unknown]): boolean => (OPTIONS[name as keyof Options] as readonly unknown[] | undefined)?.includes(value) ?? false;
    const keys = Object.entries(Object(found["keys"])).filter(([, key]) => typeof key === "string");
    return { ...Object.fromEntries(Object.entries(found).filter(fits)), keys: Object.fromEntries(keys) as Chosen["keys"] };
  } catch {
    return {};
  }
}

export const settings = new Settings();
