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
  const permissions = (['event_rules:read', 'event_rules:write'] as const).filter(
    (one) => one !== permission,
  );
  return { ...workspace.context(), actor: actorOf(workspace, { member: workspace.admin, permissions }) };
}

const page = { page: 1, pageSize: 25, sortOrder: 'asc' } as const;

// The commands check permissions themselves, because tools of agents and of clients call them without a route.
it.each([
  [
    'listing deliveries',
    'event_rules:read',
    (context) => listWebhookDeliveries(context, ruleId, {}, { ...page, sortBy: 'createdAt' }),
  ],
  ['reading one', 'event_rules:read', (context) => getWebhookDelivery(context, ruleId, deliveryId)],
  [
    'listing its attempts',
    'event_rules:read',
    (context) => listWebhookAttempts(context, ruleId, deliveryId, { ...page, sortBy: 'number' }),
  ],
  ['delivering again', 'event_rules:write', (context) => redeliverEvent(context, ruleId, deliveryId)],
  [
    'delivering all again that failed',
    'event_rules:write',
    (context) => redeliverFailedEvents(context, ruleId, { since: new Date(0) }),
  ],
  ['delivering what was missed', 'event_rules:write', (context) => deliverMissedEvents(context, ruleId, {})],
  [
    'listing events',
    'event_rules:read',
    (context) => listEvents(context, {}, { ...page, sortBy: 'createdAt' }),
  ],
  ['reading an event', 'event_rules:read', (context) => getEvent(context, randomUUID())],
] satisfies [string, Scope, (context: ReturnType<typeof contextWithout>) => Promise<unknown>][])(
  'the command for %s requires %s',
  async (_what, permission, act) => {
    await expect(act(contextWithout(permission))).rejects.toThrow(Forbidden);
  },
);
