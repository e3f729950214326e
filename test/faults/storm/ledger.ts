import { groupBy } from './group-by.js';
import type { Operation } from './operations.js';

/** `accepted`: 2xx; `refused`: 4xx; `unknown`: no answer, or a 5xx. Attempts that certainly never left are not kept. */
export interface Attempt {
  /** What marks its effect: two attempts with one marker are one thing asked twice. */
  marker: string;
  outcome: 'accepted' | 'refused' | 'unknown';
  status: number | undefined;
  startedAt: number;
  endedAt: number;
}

export interface Entry {
  operation: Operation;
  attempts: Attempt[];
  /** Whom and what it concerned, as far as that was known. */
  memberId?: number;
  phone?: string;
  chatId?: number;
  assignmentId?: number;
  fileId?: number;
  messageUuid?: string;
  sid?: string;
  /** Whether a mail answers one of the chat, rather than being written to the inbox. */
  replied?: boolean;
  skipped?: string;
}

export class Ledger {
  readonly entries: Entry[] = [];

  open(operation: Operation): Entry {
    const entry: Entry = { operation, attempts: [] };
    this.entries.push(entry);
    return entry;
  }
}

export function wasAccepted({ attempts }: Entry): boolean {
  return attempts.some(({ outcome }) => outcome === 'accepted');
}

/** How often something with these attempts may have taken effect. */
export function expected(attempts: readonly Attempt[]): { atLeast: number; atMost: number } {
  const markers = groupBy(attempts, ({ marker }) => marker);
  let [atLeast, atMost] = [0, 0];
  for (const tries of markers.values()) {
    const accepted = tries.some(({ outcome }) => outcome === 'accepted');
    if (accepted) atLeast += 1;
    if (accepted || tries.some(({ outcome }) => outcome === 'unknown')) atMost += 1;
  }
  return { atLeast, atMost };
}

export function describeLedger({ entries }: Ledger): string {
  const attempts = entries.flatMap((entry) => entry.attempts);
  const count = (outcome: Attempt['outcome']) =>
    attempts.filter((attempt) => attempt.outcome === outcome).length;
  const skipped = entries.filter((entry) => entry.skipped !== undefined).length;
  return (
    `${attempts.length} attempts at ${entries.length} operations: ${count('accepted')} accepted, ` +
    `${count('refused')} refused, ${count('unknown')} unknown; ${skipped} operations skipped`
  );
}
