import { lockSubject, shareSubject, tryShareSubject } from '../lock-subject.js';
import type { Tx } from '../tx.js';
import { digestOf } from './recipient-digest.js';

/** Whose opt-outs: the member's, and those of whoever has the address. */
export interface OptOutSubject {
  memberId: number | null;
  /** The number or address, or its digest. */
  recipient: string | null;
}

function subjectsOf(tx: Tx, { memberId, recipient }: OptOutSubject): string[] {
  const digest = recipient?.startsWith('sha256:') === false ? digestOf(tx, recipient) : recipient;
  return [
    ...(memberId === null ? [] : [`opt-outs of member ${memberId}`]),
    ...(digest === null ? [] : [`opt-outs of ${digest}`]),
  ];
}

/** Taken by who writes an opt-out: waits for claims that have asked already, and has others wait, until it is committed. */
export async function lockOptOuts(tx: Tx, whose: OptOutSubject): Promise<void> {
  for (const subject of subjectsOf(tx, whose)) await lockSubject(tx, subject);
}

/**
 * Taken by who claims the right to send, before it asks the gate. It never waits, because the claim holds locks for which who
 * opts out may wait. @returns whether no opt-out is being written
 */
export async function tryShareOptOuts(tx: Tx, whose: OptOutSubject): Promise<boolean> {
  for (const subject of subjectsOf(tx, whose)) {
    if (!(await tryShareSubject(tx, subject))) return false;
  }
  return true;
}

/** Waits until no opt-out is being written. */
export async function awaitOptOuts(tx: Tx, whose: OptOutSubject): Promise<void> {
  for (const subject of subjectsOf(tx, whose)) await shareSubject(tx, subject);
}
