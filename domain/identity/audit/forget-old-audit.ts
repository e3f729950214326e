import { removeOldAuditEvents, removeOldIdentityAuditEvents } from '../../../db/identity/audit-events.js';
import type { ServiceContext } from '../../kernel/context.js';
import type { RetentionSlice } from '../../kernel/retention-slice.js';

/** The bounds of what a workspace may set, in days. The database deletes nothing that is younger than the least. */
export const auditRetentionDays = { least: 30, most: 3_650 } as const;

/** How long the logs of accounts and organizations are kept. */
const daysOfIdentity = 365;
const dayMs = 86_400_000;
const batchSize = 1_000;

/** Deletes what a workspace keeps no longer, in batches, until the slice is over. @returns how many events */
export async function forgetOldAudit(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
  slice: RetentionSlice,
): Promise<number> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  return inBatches(slice, () =>
    db.inWorkspace(workspaceId, (tx) => removeOldAuditEvents(tx, before, batchSize)),
  );
}

/** As `forgetOldAudit`, for the logs of all accounts and organizations. */
export async function forgetOldIdentityAudit(
  { db, clock }: ServiceContext,
  slice: RetentionSlice,
): Promise<number> {
  const before = new Date(clock.now().getTime() - daysOfIdentity * dayMs);
  const forget = (log: 'audit_events' | 'organization_audit_events') =>
    inBatches(slice, () => db.inIdentity((tx) => removeOldIdentityAuditEvents(tx, log, before, batchSize)));
  return (await forget('audit_events')) + (await forget('organization_audit_events'));
}

async function inBatches(slice: RetentionSlice, remove: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let removed = batchSize; removed === batchSize && !slice.isOver(); ) {
    removed = await remove();
    total += removed;
    slice.onBatch();
  }
  return total;
}
