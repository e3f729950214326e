import type { WebhookAttemptDetails } from '../../../../db/events/webhook-attempt-lists.js';
import type { WebhookAttemptResponse } from './schemas.js';

export function presentWebhookAttempt(row: WebhookAttemptDetails): WebhookAttemptResponse {
  return { ...row, startedAt: row.startedAt.toISOString() };
}
