import Type from 'typebox';
import { deliverMissedEvents } from '../../../../domain/events/webhook-deliveries/deliver-missed-events.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { createdPeriod, periodOf } from '../webhook-deliveries/schemas.js';

const DeliverMissedEventsRequest = Type.Object(createdPeriod, {
  description: 'Selects events by their creation. Without a period: all missed events.',
});

const MissedEventsResponse = Type.Object(
  {
    queued: Type.Integer({ minimum: 0, maximum: 10_000, description: 'New deliveries' }),
    more: Type.Boolean({
      description: 'Missed events remain: call again when fewer deliveries are pending',
    }),
  },
  { $id: 'MissedEventsResponse' },
);

const create = defineRoute({
  operationId: 'deliverMissedEvents',
  method: 'POST',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/deliver-missed',
  tag: 'Event deliveries',
  summary: 'Deliver the events that happened while an event rule was disabled',
  description:
    "Queues the events of the rule's type that happened while it was disabled with this type, oldest first; events are kept for 30 days. The rule delivers each of them once, even after concurrent calls. A call adds deliveries until the rule has 10,000 pending ones. `redeliverFailedEvents` repeats deliveries that failed because the rule was disabled.",
  access: workspaceMember({ scope: 'event_rules:write', permission: 'event_rules:write' }),
  body: DeliverMissedEventsRequest,
  example: { body: { createdFrom: '2026-01-01T00:00:00Z' } },
  response: { status: 201, schema: MissedEventsResponse },
  errors: { 409: 'The rule is disabled (`rule_disabled`).' },
  handler: async ({ context, params, body }) =>
    deliverMissedEvents(context, params.event_rule_id, periodOf(body)),
});

export const deliverMissedRoutes = [create];
