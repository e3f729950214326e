/** What was counted, by its name. */
export type Counts = Readonly<Record<string, number>>;

/** The records of one kind in a part of the log of PostgreSQL. */
export interface LogRecords {
  /** Such as `Heap/INSERT`. */
  kind: string;
  records: number;
  bytes: number;
}

/** What the server writes by itself, and the marks of the bench. */
const ofServer = /^(XLOG|Standby|LogicalMessage)\//;
/** The first row of a page and a deleted row of a move between pages are kinds of their own. */
const ofRows = /^Heap\/(INSERT|UPDATE|HOT_UPDATE|DELETE)(\+INIT)?$|^Heap2\/MULTI_INSERT(\+INIT)?$/;

/** Commits that wrote, rows and bytes in a part of the log. Locks of rows and entries of indexes are bytes alone. */
export function countLog(log: readonly LogRecords[]): { commits: number; rows: number; walBytes: number } {
  const sum = (of: 'records' | 'bytes', does: (kind: string) => boolean) =>
    log.filter(({ kind }) => does(kind)).reduce((total, records) => total + records[of], 0);
  return {
    commits: sum('records', (kind) => kind === 'Transaction/COMMIT'),
    rows: sum('records', (kind) => ofRows.test(kind)),
    walBytes: sum('bytes', (kind) => !ofServer.test(kind)),
  };
}

export interface ProcessTimes {
  parent: number;
  ownTicks: number;
  /** Of children that have ended. */
  childTicks: number;
}

/** Reads `/proc/<pid>/stat`, whose second field, the name of the program, may have spaces and parentheses. */
export function readProcessTimes(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const at = (number: number) => Number(fields[number - 3]);
  return { parent: at(4), ownTicks: at(14) + at(15), childTicks: at(16) + at(17) };
}

export function difference(after: Counts, before: Counts): Counts {
  return Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
  );
}

/** The counts of one of `times` operations, less what the same system counts at rest in that time. */
export function ofOne(
  counts: Counts,
  rest: Counts,
  { times, ms, restMs }: Record<'times' | 'ms' | 'restMs', number>,
): Counts {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      name,
      Math.max(0, count - ((rest[name] ?? 0) * ms) / restMs) / times,
    ]),
  );
}
