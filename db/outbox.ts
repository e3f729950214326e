import type { AnyTx, IdentityTx, Tx } from './database.js';
import { prepared } from './statement.js';

/** The request to Temporal: start the run if there is none, or poke it, which starts it if necessary. */
export type OutboxAction = 'start' | 'poke';

export interface OutboxEntry {
  /** The workflow type to run. */
  runType: string;
  /** UUID of the run's subject; together with the run type it determines the workflow id. */
  subject: string;
  action: OutboxAction;
  /** The run's input: only ids, codes and names of configuration. `workspaceId` and `workspaceUuid` are added. */
  input: object;
}

const marked = new WeakSet<AnyTx>();

/** Writes an entry in the caller's transaction; the relay is woken after its commit. */
export async function writeOutbox(tx: Tx, entry: OutboxEntry): Promise<void> {
  await prepared(
    tx,
    `insert into outbox (workspace_id, run_type, subject, action, input)
     select id, ?, ?, ?, ?::jsonb || jsonb_build_object('workspaceId', id, 'workspaceUuid', uuid)
     from identity.workspaces where id = ?`,
    [entry.runType, entry.subject, entry.action, JSON.stringify(entry.input), tx.workspaceId],
  );
  markOutbox(tx);
}

/** Like `writeOutbox`, for an entry that belongs to no workspace; its input names none. */
export async function writeOutboxOfNoWorkspace(tx: IdentityTx, entry: OutboxEntry): Promise<void> {
  await tx.raw('insert into outbox (run_type, subject, action, input) values (?, ?, ?, ?::jsonb)', [
    entry.runType,
    entry.subject,
    entry.action,
    JSON.stringify(entry.input),
  ]);
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

/** Returns those of these subjects that still have an entry waiting for the relay. */
export async function subjectsWaiting(tx: Tx, runType: string, subjects: string[]): Promise<Set<string>> {
  const found = await tx('outbox')
    .where({ run_type: runType })
    .whereIn('subject', subjects)
    .whereNull('parked_at')
    .pluck('subject');
  return new Set(found);
}
