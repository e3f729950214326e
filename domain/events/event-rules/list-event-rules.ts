import { type EventRuleSort, listEventRules as listEventRuleRows } from '../../../db/events/event-rules.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { type EventRuleDetails, withDetails } from './event-rule-details.js';

export async function listEventRules(
  { actor, db, clock }: CommandContext,
  query: PageRequest<EventRuleSort> & { eventType?: string; enabled?: boolean },
): Promise<PageOf<EventRuleDetails>> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await listEventRuleRows(tx, query, query);
    return { ...found, items: await withDetails(tx, found.items, clock.now()) };
  });
}
