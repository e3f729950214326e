import type { Tx } from '../database.js';
import { lockSubject, shareSubject } from '../lock-subject.js';
import { prepared } from '../statement.js';

export async function isDefinitionHeld(tx: Tx, definitionId: number): Promise<boolean> {
  const text = 'select held_at is not null as "isHeld" from workflow_definitions where id = ?';
  const [found] = await prepared<{ isHeld: boolean }>(tx, text, [definitionId]);
  return found?.isHeld === true;
}

/** Waits for the transactions that note resting assignments of the definition, and excludes further ones. */
export async function lockHold(tx: Tx, definitionId: number): Promise<void> {
  await lockSubject(tx, holdOf(definitionId));
}

/** Shares the lock of `lockHold`: the definition is not resumed until the transaction ends. */
export async function shareHold(tx: Tx, definitionId: number): Promise<void> {
  await shareSubject(tx, holdOf(definitionId));
}

function holdOf(definitionId: number): string {
  return `hold of workflow definition ${definitionId}`;
}
