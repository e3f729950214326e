import { lockSubject, shareSubject } from '../lock-subject.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { workspaceIsHeld } from './workspace-holds.js';

/** What holds the assignments of a definition: its own hold, or that of the workspace. */
export type HoldSource = 'workspace' | 'workflow';

export async function isDefinitionHeld(tx: Tx, definitionId: number): Promise<boolean> {
  return (await effectiveHold(tx, definitionId)) !== null;
}

/** Null: nothing holds it. */
export async function effectiveHold(tx: Tx, definitionId: number): Promise<HoldSource | null> {
  const text = `select case when ${workspaceIsHeld} then 'workspace' when held_at is not null then 'workflow' end
    as "heldBy" from workflow_definitions where id = ?`;
  const [found] = await prepared<{ heldBy: HoldSource | null }>(tx, text, [definitionId]);
  return found?.heldBy ?? null;
}

/** Waits for the transactions that note resting assignments of the definition, and excludes further ones. */
export async function lockWorkflowHold(tx: Tx, definitionId: number): Promise<void> {
  await lockSubject(tx, holdOf(definitionId));
}

/** Shares the lock of `lockWorkflowHold`: the definition is not resumed until the transaction ends. */
export async function shareWorkflowHold(tx: Tx, definitionId: number): Promise<void> {
  await shareSubject(tx, holdOf(definitionId));
}

function holdOf(definitionId: number): string {
  return `hold of workflow definition ${definitionId}`;
}
