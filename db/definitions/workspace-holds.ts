import { lockSubject, shareSubject } from '../lock-subject.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { WorkspaceHoldModel, type WorkspaceHoldRow } from './models/workspace-hold.js';

export type { WorkspaceHoldRow } from './models/workspace-hold.js';

const isOpen = 'ended_at is null';

/** SQL: whether the workspace of the transaction is held. */
export const workspaceIsHeld = `exists (select from workspace_holds where ${isOpen})`;

export async function isWorkspaceHeld(tx: Tx): Promise<boolean> {
  return WorkspaceHoldModel.exists(tx, isOpen);
}

/** Waits for the transactions that note what rests, and for other changes of the hold, and excludes further ones. */
export async function lockWorkspaceHold(tx: Tx): Promise<void> {
  await lockSubject(tx, subject);
}

/** Shares the lock of `lockWorkspaceHold`: the hold is not ended until the transaction ends. */
export async function shareWorkspaceHold(tx: Tx): Promise<void> {
  await shareSubject(tx, subject);
}

const subject = 'hold of the workspace';

export async function findOpenHold(tx: Tx): Promise<WorkspaceHoldRow | undefined> {
  return WorkspaceHoldModel.first(tx, isOpen);
}

/** The newest hold that has ended and from which not all is woken. */
export async function findUnwokenHold(tx: Tx): Promise<WorkspaceHoldRow | undefined> {
  return WorkspaceHoldModel.first(tx, 'woken_at is null and ended_at is not null order by id desc');
}

export async function insertWorkspaceHold(
  tx: Tx,
  hold: Pick<WorkspaceHoldRow, 'heldAt' | 'until' | 'reason' | 'heldByMemberId'>,
): Promise<WorkspaceHoldRow> {
  return WorkspaceHoldModel.insert(tx, hold);
}

export async function patchWorkspaceHold(
  tx: Tx,
  id: number,
  changes: Partial<WorkspaceHoldRow>,
): Promise<WorkspaceHoldRow> {
  return WorkspaceHoldModel.patch(tx, id, changes);
}

/** Notes that all is woken that rested by the end of this hold, or of an earlier one. */
export async function recordAllWoken(tx: Tx, upToId: number, now: Date): Promise<void> {
  const unwoken = 'woken_at is null and ended_at is not null and id <= ?';
  await WorkspaceHoldModel.updateWhere(tx, { wokenAt: now }, unwoken, [upToId]);
}

/** For how long the workspace has been held since a time. */
export async function heldMsSince(tx: Tx, since: Date, now: Date): Promise<number> {
  const [found] = await prepared<{ ms: number }>(
    tx,
    `select coalesce(sum(extract(epoch from coalesce(ended_at, ?) - greatest(held_at, ?)) * 1000), 0)::float8 as ms
     from workspace_holds where ended_at is null or ended_at > ?`,
    [now, since, since],
  );
  return found?.ms ?? 0;
}
