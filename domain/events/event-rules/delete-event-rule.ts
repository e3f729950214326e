import { removeSecrets } from '../../../db/events/event-rule-secrets.js';
import { patchEventRule } from '../../../db/events/event-rules.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { requireLockedEventRule } from './event-rule-details.js';

/**
 * Deletes a rule with its secrets. Pending deliveries are cancelled at their next attempt; their history keeps the row.
 * @throws NotFound
 */
export async function deleteEventRule({ actor, db, clock }: CommandContext, id: number): Promise<void> {
  actor.require('event_rules:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireLockedEventRule(tx, id);
    recordAudit(tx, { clock, actor }, 'event_rule:deleted', { subject: ['event_rule', id] });
    const now = clock.now();
    await Promise.all([removeSecrets(tx, id), patchEventRule(tx, id, { deletedAt: now, updatedAt: now })]);
  });
}
