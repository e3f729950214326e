import type { CommandContext } from '../../kernel/context.js';
import { detailsOf, type EventRuleDetails, requireEventRule } from './event-rule-details.js';

/** @throws NotFound */
export async function getEventRule(
  { actor, db, clock }: CommandContext,
  id: number,
): Promise<EventRuleDetails> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    detailsOf(tx, await requireEventRule(tx, id), clock.now()),
  );
}
