/** How many days the figures are of. */
export const ranges = [7, 30, 90] as const;
export type Range = (typeof ranges)[number];

export interface FiguresSearch {
  days?: Range;
  /** The workflow whose assignments are counted; undefined: all. */
  workflow?: number;
}

export function readFiguresSearch({ days, workflow }: Record<string, unknown>): FiguresSearch {
  return {
    days: ranges.find((one) => one === days),
    workflow: Number.isSafeInteger(workflow) ? (workflow as number) : undefined,
  };
}

const dayMs = 86_400_000;

/** The days up to today, as YYYY-MM-DD, in a time zone. */
export function daysUntilToday(count: number, timeZone: string): string[] {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
  const last = Date.parse(today);
  return Array.from({ length: count }, (_, at) =>
    new Date(last - (count - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
}

/** When so many days ago was, for lists that take times. */
export const timeBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
