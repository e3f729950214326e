import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { getEvent, listEvents } from '../../../../domain/events/events/stored-events.js';
import { deliverMissedEvents } from '../../../../domain/events/webhook-deliveries/deliver-missed-events.js';
import { redeliverEvent } from '../../../../domain/events/webhook-deliveries/redeliver-event.js';
import { redeliverFailedEvents } from '../../../../domain/events/webhook-deliveries/redeliver-failed-events.js';
import {
  getWebhookDelivery,
  listWebhookAttempts,
  listWebhookDeliveries,
} from '../../../../domain/events/webhook-deliveries/webhook-deliveries.js';
import type { Scope } from '../../../../domain/kernel/scopes.js';
import { Forbidden } from '../../../../domain/lib/errors.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { addDelivery } from '../../../support/webhooks/webhook-history.js';
import { actorOf } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let ruleId: number;
let deliveryId: number;
beforeAll(async () => {
  ruleId = (await addEventRule(suite.workspace)).id;
  deliveryId = (await addDelivery(suite.workspace, ruleId, { status: 'failed' })).id;
});

/** An actor with both permissions except the given one. */
function contextWithout(permission: Scope) {
  const { workspace } = suite;
  const both: Scope[] = ['event_rules:read', 'event_rules:write'];
  const permissions = both.filter((one) => one !== permission);
  return { ...workspace.context(), actor: actorOf(workspace, { member: workspace.admin, permissions }) };
}

const byCreation = { page: 1, pageSize: 25, sortBy: 'createdAt', sortOrder: 'asc' } as const;
const byNumber = { ...byCreation, sortBy: 'number' } as const;
type Act = (context: ReturnType<typeof contextWithout>) => Promise<unknown>;
const reading: Record<string, Act> = {
  'listing deliveries': (context) => listWebhookDeliveries(context, ruleId, {}, byCreation),
  'reading one': (context) => getWebhookDelivery(context, ruleId, deliveryId),
  'listing its attempts': (context) => listWebhookAttempts(context, ruleId, deliveryId, byNumber),
  'listing events': (context) => listEvents(context, {}, byCreation),
  'reading an event': (context) => getEvent(context, randomUUID()),
};
const writing: Record<string, Act> = {
  'delivering again': (context) => redeliverEvent(context, ruleId, deliveryId),
  'delivering all again that failed': (context) =>
    redeliverFailedEvents(context, ruleId, { since: new Date(0) }),
  'delivering what was missed': (context) => deliverMissedEvents(context, ruleId, {}),
};

// The commands check permissions themselves, because tools of agents and of clients call them without a route.
it.each(Object.entries(reading))('the command for %s requires event_rules:read', async (_, act) => {
  await expect(act(contextWithout('event_rules:read'))).rejects.toThrow(Forbidden);
});
it.each(Object.entries(writing))('the command for %s requires event_rules:write', async (_, act) => {
  await expect(act(contextWithout('event_rules:write'))).rejects.toThrow(Forbidden);
});
