import Type from 'typebox';
import { listWebhookAttempts } from '../../../../domain/events/webhook-deliveries/webhook-deliveries.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Nullable, Page, PageQuery, Picked, Timestamp } from '../../../http/schemas.js';

const WebhookAttemptResponse = Picked(
  {
    number: Type.Integer({ minimum: 1 }),
    startedAt: Timestamp,
    durationMs: Nullable(Type.Integer({ minimum: 0 })),
    statusCode: Nullable(Type.Integer({ description: 'Null if there was no response' })),
    errorCode: Nullable(
      Type.String({ description: 'A code: why there was no response, or that the attempt was lost' }),
    ),
    responseBody: Nullable(Type.String({ description: 'The first 2 KB of the response' })),
  },
  {
    $id: 'WebhookAttemptResponse',
    description: 'While an attempt is in progress, all fields but number and startedAt are null.',
  },
);

const list = defineRoute({
  operationId: 'listWebhookAttempts',
  method: 'GET',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/{delivery_id}/attempts',
  tag: 'Event deliveries',
  summary: 'List the attempts of a delivery',
  description: "In order, each with the receiver's response.",
  access: workspaceMember({ scope: 'event_rules:read', permission: 'event_rules:read' }),
  query: PageQuery(['number']),
  response: { status: 200, schema: Page(WebhookAttemptResponse) },
  handler: async ({ context, params, query }) => {
    const found = await listWebhookAttempts(context, params.event_rule_id, params.delivery_id, query);
    return presentPage(query, found);
  },
});

export const attemptRoutes = [list];
