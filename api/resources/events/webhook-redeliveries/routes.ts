import Type from 'typebox';
import { redeliverFailedEvents } from '../../../../domain/events/webhook-deliveries/redeliver-failed-events.js';
import { InvalidInput } from '../../../../domain/lib/errors.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { createdPeriod, periodOf } from '../webhook-deliveries/schemas.js';

const RedeliverFailedEventsRequest = Type.Object(createdPeriod, {
  description: 'Selects deliveries by their creation. createdFrom is required.',
});

const RedeliveredResponse = Type.Object(
  {
    redelivered: Type.Integer({ minimum: 0, maximum: 10_000, description: 'New deliveries' }),
    more: Type.Boolean({ description: 'More failed deliveries remain: call again' }),
  },
  { $id: 'RedeliveredResponse' },
);

const create = defineRoute({
  operationId: 'redeliverFailedEvents',
  method: 'POST',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/redeliveries',
  tag: 'Event deliveries',
  summary: 'Redeliver failed events',
  description:
    'Queues all events whose latest delivery by this rule failed, oldest first, up to 10,000, without tests. Calling it twice delivers nothing twice, because a pending delivery has not failed.',
  access: workspaceMember({ scope: 'event_rules:write', permission: 'event_rules:write' }),
  body: RedeliverFailedEventsRequest,
  example: { body: { createdFrom: '2026-01-01T00:00:00Z' } },
  response: { status: 201, schema: RedeliveredResponse },
  errors: { 409: 'The rule is disabled (`rule_disabled`).' },
  handler: async ({ context, params, body }) => {
    const { since, until } = periodOf(body);
    if (since === undefined) throw InvalidInput.field('/createdFrom', 'is required');
    return redeliverFailedEvents(context, params.event_rule_id, { since, until });
  },
});

export const redeliveryRoutes = [create];
