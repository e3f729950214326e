import type { WebhookAttemptDetails } from '../../../../db/events/webhook-delivery-lists.js';
import { listWebhookAttempts } from '../../../../domain/events/webhook-deliveries/webhook-deliveries.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { ListWebhookAttemptsQuery, WebhookAttemptPage, type WebhookAttemptResponse } from './schemas.js';

const list = defineRoute({
  operationId: 'listWebhookAttempts',
  method: 'GET',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/deliveries/{delivery_id}/attempts',
  tag: 'Event deliveries',
  summary: 'List the attempts of a delivery',
  description: "In order, each with the receiver's response.",
  access: workspaceMember({ scope: 'event_rules:read', permission: 'event_rules:read' }),
  query: ListWebhookAttemptsQuery,
  response: { status: 200, schema: WebhookAttemptPage },
  handler: async ({ context, params, query }) =>
    presentPage(
      query,
      await listWebhookAttempts(context, params.event_rule_id, params.delivery_id, query),
      presentWebhookAttempt,
    ),
});

export const attemptRoutes = [list];

function presentWebhookAttempt(row: WebhookAttemptDetails): WebhookAttemptResponse {
  return { ...row, startedAt: row.startedAt.toISOString() };
}
