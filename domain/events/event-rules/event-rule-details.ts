import { selectValidSecrets } from '../../../db/events/event-rule-secrets.js';
import {
  type EventRuleRow,
  type EventRuleSort,
  findEventRule,
  lockEventRule,
  selectEventRules,
} from '../../../db/events/event-rules.js';
import { placesOfWebhookEndpoints } from '../../../db/events/webhook-endpoints.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** A rule as the API returns it: with its receiver's URL, and with the times of its secrets instead of the secrets. */
export interface EventRuleDetails extends EventRuleRow {
  webhookUrl: string;
  /** When the receiver's host first answered the workspace with 2xx; null: it is on probation. */
  receiverAnsweredAt: Date | null;
  /** The valid secrets, newest first. */
  secrets: readonly { uuid: string; createdAt: Date; expiresAt: Date | null }[];
}

/** Adds the details to rules, in their order. */
async function withDetails(tx: Tx, rules: readonly EventRuleRow[], now: Date): Promise<EventRuleDetails[]> {
  if (rules.length === 0) return [];
  const ruleIds = rules.map(({ id }) => id);
  const [places, secrets] = await Promise.all([
    placesOfWebhookEndpoints(tx, [...new Set(rules.map((rule) => rule.webhookEndpointId))]),
    selectValidSecrets(tx, ruleIds, now),
  ]);
  return rules.map((rule) => ({
    ...rule,
    webhookUrl: places.get(rule.webhookEndpointId)?.url ?? '',
    receiverAnsweredAt: places.get(rule.webhookEndpointId)?.answeredAt ?? null,
    secrets: secrets.filter(({ eventRuleId }) => eventRuleId === rule.id),
  }));
}

export async function detailsOf(tx: Tx, rule: EventRuleRow, now: Date): Promise<EventRuleDetails> {
  const [details] = await withDetails(tx, [rule], now);
  if (details === undefined) throw new Error('a rule has no details');
  return details;
}

/** @throws NotFound */
export async function requireEventRule(tx: Tx, id: number): Promise<EventRuleRow> {
  return found(await findEventRule(tx, id));
}

/** `requireEventRule`, which also locks the row. @throws NotFound */
export async function requireLockedEventRule(tx: Tx, id: number): Promise<EventRuleRow> {
  return found(await lockEventRule(tx, id));
}

function found(rule: EventRuleRow | undefined): EventRuleRow {
  if (rule === undefined) throw new NotFound('Event rule');
  return rule;
}

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

export async function listEventRules(
  { actor, db, clock }: CommandContext,
  query: PageRequest<EventRuleSort> & { eventType?: string; enabled?: boolean },
): Promise<PageOf<EventRuleDetails>> {
  actor.require('event_rules:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await selectEventRules(tx, query, query);
    return { ...found, items: await withDetails(tx, found.items, clock.now()) };
  });
}
