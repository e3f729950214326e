import type { WebhookAttemptDetails } from '../../../../db/queries/webhook-attempt-lists.js';
import type { WebhookAttemptResponse } from './schemas.js';

export function presentWebhookAttempt(row: WebhookAttemptDetails): WebhookAttemptResponse {
  return { ...row, startedAt: row.startedAt.toISOString() };
}
