import type { InWorkspace, RunEntry, RunType } from '../workflows/contracts/runs.js';
import { queryInIndexOrderPrepared } from './lib/index-order.js';
import { prepared, statement } from './statement.js';
import type { AnyTx, IdentityTx, Tx } from './tx.js';

/** Start the run if there is none, or poke it, which starts it if necessary. */
type OutboxAction = 'start' | 'poke';

/** Run types whose subject is in a workspace. */
type WorkspaceRunType = Exclude<RunType, 'sendLoginCode'>;

/** A run with what is to be done with it. `workspaceId` and `workspaceUuid` are added to its input. */
export type OutboxEntry = {
  [Type in WorkspaceRunType]: Omit<RunEntry<Type>, 'input'> & {
    action: OutboxAction;
    input: Omit<RunEntry<Type>['input'], keyof InWorkspace>;
    /** One of many runs that one change wakes: it goes behind what people wait for. */
    woken?: boolean;
  };
}[WorkspaceRunType];

const marked = new WeakSet<AnyTx>();

// The outbox has no model: entries of runs outside of workspaces have no workspace, which a model's rows always have.

/** Writes an entry in the caller's transaction; the relay is woken after its commit. */
export async function writeOutbox(tx: Tx, entry: OutboxEntry): Promise<void> {
  await prepared(
    tx,
    `insert into outbox (workspace_id, run_type, subject, action, woken, input)
     select id, ?, ?, ?, ?, ?::jsonb || jsonb_build_object('workspaceId', id, 'workspaceUuid', uuid)
     from identity.workspaces where id = ?`,
    [
      entry.runType,
      entry.subject,
      entry.action,
      entry.woken ?? false,
      JSON.stringify(entry.input),
      tx.workspaceId,
    ],
  );
  markOutbox(tx);
}

/** Like `writeOutbox`, for a run whose subject is in no workspace. */
export async function writeOutboxOfNoWorkspace(
  tx: IdentityTx,
  { runType, subject, action, input }: RunEntry<'sendLoginCode'> & { action: OutboxAction },
): Promise<void> {
  const values = [runType, subject, action, JSON.stringify(input)];
  await prepared(
    tx,
    'insert into outbox (run_type, subject, action, input) values (?, ?, ?, ?::jsonb)',
    values,
  );
  marked.add(tx);
}

/** Marks a transaction whose own statements write entries, so that the relay is woken after the commit. */
export function markOutbox(tx: Tx): void {
  marked.add(tx);
}

/** Returns true once for a transaction that wrote outbox rows. */
export function takeOutboxMark(tx: AnyTx): boolean {
  return marked.delete(tx);
}

/** Counts the entries of the workspace that wake a crowd of runs and wait for the relay, up to `limit`. */
export async function countWaitingToWake(tx: Tx, limit: number): Promise<number> {
  // The condition of the index that the relay reads.
  const [found] = await queryInIndexOrderPrepared<{ count: number }>(tx, {
    text: `select count(*)::int as count from (
       select from outbox where woken and parked_at is null and coalesce(workspace_id, 0) = ? limit ?
     ) waiting`,
    bindings: [tx.workspaceId, limit],
  });
  return found?.count ?? 0;
}

/** Returns those of these subjects that still have an entry waiting for the relay. */
export async function subjectsWaiting(tx: Tx, runType: RunType, subjects: string[]): Promise<Set<string>> {
  const found = await statement<{ subject: string }>(
    tx,
    'select subject from outbox where run_type = ? and subject = any(?::uuid[]) and parked_at is null',
    [runType, subjects],
  );
  return new Set(found.map(({ subject }) => subject));
}
