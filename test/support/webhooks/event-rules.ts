import { type EventRuleRow, insertEventRule, patchEventRule } from '../../../db/events/event-rules.js';
import { webhookEndpointAt } from '../../../db/events/webhook-endpoints.js';
import { addSigningSecret } from '../../../domain/events/event-rules/signing-secrets.js';
import { type EventType, eventTypes } from '../../../domain/kernel/events/event-types.js';
import { testEncryption } from '../lib/encryption.js';
import { type Place, randomTag } from '../workspace/factories.js';

/** A disabled rule for every event type: events are stored, and none is delivered. */
export async function subscribeToAllEvents(place: Place): Promise<void> {
  for (const eventType of Object.keys(eventTypes) as EventType[]) {
    await addEventRule(place, { eventType, enabled: false, name: 'Stores events' });
  }
}

/** What a request makes a rule of. */
export const eventRuleBody = (actionParams: object = {}, changes: object = {}) => ({
  name: 'Chats',
  eventType: 'chat:created',
  actionType: 'webhook:send',
  actionParams: { webhookUrl: 'https://receiver.example.com/', ...actionParams },
  ...changes,
});

export interface EventRuleOptions {
  /** `chat:created` unless told. */
  eventType?: EventType;
  /** Where its deliveries go; nowhere unless told. */
  url?: string;
  /** What they are signed with; unsigned unless told. */
  secret?: string;
  name?: string;
  /** False: a member has disabled it. */
  enabled?: boolean;
  deletedAt?: Date;
  /** False: the host of the URL has never answered. */
  hasAnswered?: boolean;
}

/** A rule, put into the database as it is: no address is checked. */
export async function addEventRule(place: Place, options: EventRuleOptions = {}): Promise<EventRuleRow> {
  const now = new Date();
  const { eventType = 'chat:created', secret, enabled = true, deletedAt } = options;
  const { url = `https://receiver.invalid/${randomTag()}`, hasAnswered = true } = options;
  return place.database.inWorkspace(place.workspaceId, async (tx) => {
    const webhookEndpointId = await webhookEndpointAt(tx, url, now);
    if (hasAnswered) {
      const host = tx('webhook_endpoints').select('webhook_host_id').where({ id: webhookEndpointId });
      await tx('webhook_hosts').where({ id: host }).whereNull('answered_at').update({ answered_at: now });
    }
    const rule = await insertEventRule(tx, {
      name: options.name ?? `Rule ${randomTag()}`,
      eventType,
      actionType: 'webhook:send',
      webhookEndpointId,
      createdByMemberId: null,
      createdAt: now,
    });
    const resting = { enabled: false, disabledAt: now, disabledReason: 'by_member' } as const;
    const changes = { ...(enabled ? {} : resting), ...(deletedAt === undefined ? {} : { deletedAt }) };
    if (secret !== undefined) {
      await addSigningSecret(tx, testEncryption, { eventRuleId: rule.id, text: secret, createdAt: now });
    }
    return Object.keys(changes).length === 0 ? rule : patchEventRule(tx, rule.id, changes);
  });
}
