// The strategy chart as the server lays it out.

export interface ChartCell {
  text: string;
  play: string; // H, S, D, P, R; empty where the hand can't come up
  sentence: string;
}

export interface ChartSection {
  title: string;
  rows: { label: string; cells: ChartCell[] }[];
}

export interface ChartPageData {
  title: string;
  subtitle: string;
  ups: string[];
  sections: ChartSection[];
  legend: { sign: string; words: string }[];
  notes: string[];
  footer: string[];
}

export interface StrategyData {
  rules: string;
  fingerprint: string;
  house_edge: number;
  cost_points: number;
  strategy_class: string;
  page: ChartPageData;
  command: string;
}

/** The class of a sign's colour: its play comes first. */
export const playClass = (sign: string): string => (/^[HSDPR]/.test(sign) ? `play-${sign[0]!.toLowerCase()}` : "");
