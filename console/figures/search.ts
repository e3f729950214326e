import type { paths } from '../kit/schema.js';

type OutgoingQuery = paths['/w/{workspace_uuid}/messages']['get']['parameters']['query'];
export type FailureReason = NonNullable<OutgoingQuery['failureReason']>;

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

/** Which messages that did not arrive are listed. */
export interface FailedSearch {
  /** The time from which they are; undefined: all. */
  since?: string;
  reason?: FailureReason;
}

export function readFailedSearch({ since, reason }: Record<string, unknown>): FailedSearch {
  return {
    since: typeof since === 'string' && !Number.isNaN(Date.parse(since)) ? since : undefined,
    // What the API does not know it refuses.
    reason: typeof reason === 'string' && reason !== '' ? (reason as FailureReason) : undefined,
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
