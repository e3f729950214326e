import { findMember } from '../../../db/people/members.js';
import { countRecentChanges } from '../../../db/records/data-record-changes.js';
import type { AwaitedEvent } from '../../definitions/task-tree/awaited-events.js';
import type { Machine } from './machine.js';

/** No transaction takes longer: a change that was not visible at the entry of the wait began later than this before. */
const maxTransactionMs = 600_000;

const operationsOf = {
  'data_record:created': ['created'],
  'data_record:updated': ['updated', 'retired', 'restored'],
  'data_record:changed': ['created', 'updated', 'retired', 'restored'],
} as const;

/**
 * A number that differs once an event has occurred since `enteredAt`, the entry of the wait. It is read at the entry,
 * and each time the wait is looked at. Numbers and times of events alone would not do, because a transaction may write
 * an event before the entry and commit it afterwards. Null for an event that is found without it.
 */
export async function readEventMark(
  { tx, chat }: Machine,
  event: AwaitedEvent,
  enteredAt: Date,
): Promise<number | null> {
  if (event === 'chat:replied') return null;
  if (event === 'member:updated') {
    return (await findMember(tx, chat.memberId))?.updatedAt.getTime() ?? null;
  }
  const since = new Date(enteredAt.getTime() - maxTransactionMs);
  return countRecentChanges(tx, chat.memberId, operationsOf[event], since);
}
