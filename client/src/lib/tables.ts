// Names of tables.

/** The name of each table, with its number if others have the same name. */
export function tableNames(rounds: { table: number; table_name: string }[]): Map<number, string> {
  const names = new Map(rounds.map((round) => [round.table, round.table_name]));
  const all = [...names.values()];
  return new Map([...names].map(([table, name]) => [table, all.indexOf(name) === all.lastIndexOf(name) ? name : `${name} #${table}`]));
}
