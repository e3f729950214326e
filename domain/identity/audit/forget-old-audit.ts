import { removeOldAuditEvents, removeOldIdentityAuditEvents } from '../../../db/identity/audit-events.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type Batch, batchOf } from '../../kernel/retention.js';

/** The bounds of what a workspace may set, in days. The database deletes nothing that is younger than the least. */
export const auditRetentionDays = { min: 30, most: 3_650 } as const;

/** How long the logs of accounts and organizations are kept. */
const daysOfIdentity = 365;
const dayMs = 86_400_000;
const batchSize = 1_000;

/** Deletes a batch of what a workspace keeps no longer. */
export async function forgetOldAudit(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
): Promise<Batch> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  const remove = () => db.inWorkspace(workspaceId, (tx) => removeOldAuditEvents(tx, before, batchSize));
  return batchOf(await remove(), batchSize);
}

/** As `forgetOldAudit`, for the logs of all accounts, or of all organizations. */
export async function forgetOldIdentityAudit(
  { db, clock }: ServiceContext,
  log: 'audit_events' | 'organization_audit_events',
): Promise<Batch> {
  const before = new Date(clock.now().getTime() - daysOfIdentity * dayMs);
  const remove = () => db.inIdentity((tx) => removeOldIdentityAuditEvents(tx, log, before, batchSize));
  return batchOf(await remove(), batchSize);
}
