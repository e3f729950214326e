import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimedAttempt, WebhookToSend } from '../../domain/events/webhook-deliveries/claim-attempt.js';
import {
  type AttemptResult,
  type Recorded,
  recordAttempt,
} from '../../domain/events/webhook-deliveries/record-attempt.js';
import { webhookHeaders } from '../../domain/events/webhooks/sign-webhook.js';
import { Undecipherable } from '../../domain/lib/encryption.js';
import type { WebhookOutcome } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryAt } from './retry-at.js';

/** How long a result is kept while the database is away, so that an answered request is not sent again. */
const recordingMs = 5_000;
const firstPauseMs = 100;

/** Posts a claimed attempt and records the outcome. @throws ApplicationFailure when the delivery is to be retried */
export async function postWebhook(
  context: ActivityDependencies,
  attempt: ClaimedAttempt,
  request: WebhookToSend,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const result = await post(context, attempt, request, signal);
  const recorded = await recordPatiently(context, attempt, result);
  if (recorded.kind === 'settled') return { status: recorded.status, attempts: recorded.attempts };
  const type = codeOf(result);
  throw retryAt(context, { type, message: `attempt ${attempt.number}: ${type}`, at: recorded.at });
}

async function post(
  { clock, webhooks, logger }: ActivityDependencies,
  { workspaceId, ruleId, deliveryId }: ClaimedAttempt,
  { url, eventUuid, body, secrets }: WebhookToSend,
  signal: AbortSignal,
): Promise<AttemptResult> {
  if (secrets instanceof Undecipherable) {
    logger.warn({ workspaceId, ruleId, deliveryId, code: secrets.code }, 'a webhook cannot be signed');
    return { kind: 'not_sent', code: 'secret_unreadable' };
  }
  const headers = webhookHeaders({ eventUuid, body, secrets, at: clock.now() });
  try {
    return await webhooks.sender.post({ url, headers, body, signal });
  } catch (error) {
    // The worker is stopping, so it is unknown whether the receiver got the request.
    if (signal.aborted) return { kind: 'lost' };
    throw error;
  }
}

async function recordPatiently(
  context: ActivityDependencies,
  attempt: ClaimedAttempt,
  result: AttemptResult,
): Promise<Recorded> {
  const until = Date.now() + recordingMs;
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return await recordAttempt({ ...context, ...context.webhooks }, attempt, result);
    } catch (error) {
      if (Date.now() + pauseMs > until) throw error;
      await delay(pauseMs);
    }
  }
}

/** The code that an operator sees for a delivery that is retried. */
function codeOf(result: AttemptResult): string {
  if (result.kind === 'answered') return `http_${result.statusCode}`;
  return result.kind === 'lost' ? 'lost' : result.code;
}
