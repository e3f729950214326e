import Type from 'typebox';
import { redeliverFailedEvents } from '../../../../domain/events/webhook-deliveries/redeliver-failed-events.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Timestamp } from '../../../http/schemas.js';
import { timeOf } from '../webhook-deliveries/schemas.js';

const RedeliverFailedEventsRequest = Type.Object(
  { since: Timestamp, until: Type.Optional(Timestamp) },
  {
    description:
      'Selects deliveries by their creation: from since (inclusive) to until (exclusive), if given.',
  },
);

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
  response: { status: 201, schema: RedeliveredResponse },
  errors: { 409: 'The rule is disabled (`rule_disabled`).' },
  handler: async ({ context, params, body: { since, until } }) =>
    redeliverFailedEvents(context, params.event_rule_id, { since: new Date(since), until: timeOf(until) }),
});

export const redeliveryRoutes = [create];
