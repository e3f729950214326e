import type { Schemas } from '../kit/api.js';

export type CallStatus = Schemas['PhoneCallResponse']['status'];

export const liveStatuses = ['pending', 'ringing', 'in-progress'] as const satisfies CallStatus[];
export const endedStatuses = [
  'completed',
  'busy',
  'no-answer',
  'failed',
  'canceled',
] as const satisfies CallStatus[];

/** What the address of the list says. */
export interface CallsSearch {
  status?: CallStatus | undefined;
  direction?: 'in' | 'out' | undefined;
  member?: number | undefined;
  /** The first and the last day, in the time zone of the browser. */
  from?: string | undefined;
  until?: string | undefined;
}

/** Reads the query of the address; what it does not know is left out. */
export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  const { status, direction, member } = search;
  const dayOf = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
  return {
    status: [...liveStatuses, ...endedStatuses].find((one) => one === status),
    direction: direction === 'in' || direction === 'out' ? direction : undefined,
    member: Number.isSafeInteger(member) ? Number(member) : undefined,
    from: dayOf(search.from),
    until: dayOf(search.until),
  };
}
