import {
  type AttemptOutcome,
  findWebhookDeliveryRow,
  finishAttempt,
  holdAfterAttempt,
  noteSuccess,
  recordFailing,
  recordMeanDuration,
  scheduleAttempt,
  settleWebhookDelivery,
} from '../../../db/events/webhook-deliveries.js';
import { recordAnswered, recordUnanswered } from '../../../db/events/webhook-endpoints.js';
import type { Tx } from '../../../db/tx.js';
import { disableRule } from '../event-rules/disable-rule.js';
import type { ClaimedAttempt, WebhookContext, WebhookStatus } from './claim-attempt.js';
import { probation } from './limits.js';
import { afterFailure, defaultRetryDelaysMs } from './schedule.js';

export type AttemptResult =
  | { kind: 'answered'; statusCode: number; durationMs: number; body: string; retryAfterMs?: number }
  | { kind: 'failed'; code: string; durationMs: number }
  | { kind: 'lost' }
  | { kind: 'not_sent'; code: 'secret_unreadable' };

/** The state of the delivery after recording; `at` is the time of the next attempt. */
export type Recorded =
  | { kind: 'settled'; status: WebhookStatus; attempts: number }
  | { kind: 'again'; at: Date };

/** Records the result of a claimed attempt and its consequences, once. A late 2xx to a lost attempt settles too. */
export async function recordAttempt(
  context: WebhookContext,
  attempt: ClaimedAttempt,
  result: AttemptResult,
): Promise<Recorded> {
  const now = context.clock.now();
  return context.db.inWorkspace(attempt.workspaceId, async (tx) => {
    if (result.kind === 'answered' && result.statusCode >= 200 && result.statusCode < 300) {
      const settled = await recordSuccess(tx, attempt, result, now);
      if (settled) return { kind: 'settled', status: 'delivered', attempts: attempt.number };
    } else if (result.kind === 'lost') {
      await finishAttempt(tx, attempt.attemptId, outcomeOf(result), now);
    } else {
      await recordFailure(context, tx, attempt, result, now);
    }
    return standing(tx, attempt, now);
  });
}

type KnownResult = Exclude<AttemptResult, { kind: 'lost' }>;

/** In one round trip; the delivery is updated first, because all writers lock it before its attempts. */
async function recordSuccess(
  tx: Tx,
  attempt: ClaimedAttempt,
  result: KnownResult & { kind: 'answered' },
  now: Date,
): Promise<boolean> {
  const { deliveryId, attemptId, ruleId, endpointId, hostId, hasAnswered, trigger } = attempt;
  const [settled] = await Promise.all([
    settleWebhookDelivery(tx, deliveryId, {
      status: 'delivered',
      lastStatusCode: result.statusCode,
      at: now,
    }),
    finishAttempt(tx, attemptId, outcomeOf(result), now),
    ...(trigger === 'test' ? [] : [noteSuccess(tx, ruleId, endpointId)]),
    recordDuration(tx, attempt, result),
    ...(hasAnswered ? [] : [recordAnswered(tx, hostId, now)]),
  ]);
  return settled;
}

async function recordFailure(
  { retryDelaysMs = defaultRetryDelaysMs, random }: WebhookContext,
  tx: Tx,
  attempt: ClaimedAttempt,
  result: KnownResult,
  now: Date,
): Promise<void> {
  const { deliveryId, ruleId } = attempt;
  const [held, isNews] = await Promise.all([
    holdAfterAttempt(tx, deliveryId, now),
    finishAttempt(tx, attempt.attemptId, outcomeOf(result), now),
    ...(result.kind === 'not_sent' ? [] : [recordDuration(tx, attempt, result)]),
  ]);
  // Tests do not count for the host, because a person watches their result.
  if (isNews && result.kind !== 'not_sent' && !attempt.hasAnswered && attempt.trigger !== 'test') {
    const { firstPauseMs: firstMs, maxPauseMs: maxMs } = probation;
    await recordUnanswered(tx, attempt.hostId, { now, firstMs, maxMs });
  }
  // The failure was recorded before, the delivery is settled, or a newer attempt has begun.
  if (!isNews || held?.status !== 'pending' || held.attemptCount !== attempt.number) return;
  const { statusCode: lastStatusCode, retryAfterMs } =
    result.kind === 'answered' ? result : { statusCode: null, retryAfterMs: undefined };
  const { failingSince, failingDays } = held;
  const ofReceiver = result.kind !== 'not_sent' && held.endpointId === attempt.endpointId;
  const failures = { failures: attempt.failures + 1, failingSince, failingDays, ofReceiver };
  const then = afterFailure(
    { trigger: attempt.trigger, statusCode: lastStatusCode, retryAfterMs, ...failures, now },
    retryDelaysMs,
    random,
  );
  if (then.kind === 'again') await scheduleAttempt(tx, deliveryId, { at: then.at, lastStatusCode });
  else {
    const settlement = { status: 'failed', failureReason: then.reason, lastStatusCode, at: now } as const;
    await settleWebhookDelivery(tx, deliveryId, settlement);
  }
  if (attempt.trigger !== 'test' && ofReceiver && held.isAnotherDay)
    await recordFailing(tx, ruleId, { since: failingSince ?? now, days: failingDays, now });
  if (then.disable !== undefined) await disableRule(tx, { eventRuleId: ruleId, reason: then.disable, now });
}

async function recordDuration(
  tx: Tx,
  attempt: ClaimedAttempt,
  { durationMs }: { durationMs: number },
): Promise<void> {
  const mean = meanAfter(attempt.meanDurationMs, durationMs);
  if (mean !== undefined) await recordMeanDuration(tx, attempt.endpointId, mean);
}

async function standing(tx: Tx, { deliveryId }: ClaimedAttempt, now: Date): Promise<Recorded> {
  const delivery = await findWebhookDeliveryRow(tx, deliveryId);
  if (delivery === undefined) return { kind: 'settled', status: 'cancelled', attempts: 0 };
  const { status, attemptCount: attempts, nextAttemptAt } = delivery;
  return status === 'pending'
    ? { kind: 'again', at: nextAttemptAt ?? now }
    : { kind: 'settled', status, attempts };
}

function outcomeOf(result: AttemptResult): AttemptOutcome {
  const answered = result.kind === 'answered';
  return {
    durationMs: 'durationMs' in result ? result.durationMs : null,
    statusCode: answered ? result.statusCode : null,
    errorCode: answered ? null : result.kind === 'lost' ? 'lost' : result.code,
    responseBody: answered ? result.body : null,
  };
}

const weightOfLatest = 0.25;
const notableMs = 20;

/** The exponentially weighted mean duration of a receiver's requests, 0 if unknown; undefined: hardly changed. */
export function meanAfter(meanMs: number, durationMs: number): number | undefined {
  const exact = meanMs === 0 ? durationMs : meanMs + (durationMs - meanMs) * weightOfLatest;
  const mean = Math.max(1, Math.round(exact));
  return Math.abs(mean - meanMs) > notableMs || meanMs === 0 ? mean : undefined;
}
