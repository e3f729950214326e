import type { WebhookDeliveryRow } from '../../../db/events/webhook-deliveries.js';
import { type FailedAttempts, nextAttemptAt, testDelaysMs } from './schedule.js';

const hour = 3_600_000;
/** A rule that has seen nothing but failure for so long is disabled, */
export const failingForMs = 5 * 24 * hour;
/** if attempts failed on so many days: two events a week apart say little about a receiver. */
export const leastFailingDays = 3;

const gone = 410;

export interface Failure extends FailedAttempts {
  trigger: WebhookDeliveryRow['trigger'];
  statusCode: number | null;
  /** Since when the rule has seen nothing but failure; null: it has not, before this. */
  failingSince: Date | null;
  /** On how many days (UTC) attempts have failed since then, this one included. */
  failingDays: number;
  /** It tells of the receiver that the rule has now: the attempt went there. */
  ofReceiver: boolean;
}

/** What follows from an attempt that failed. */
export type AfterFailure = { disable?: 'gone' | 'failing' } & (
  | { kind: 'again'; at: Date }
  | { kind: 'given_up'; reason: 'attempts_exhausted' | 'gone' | 'rule_disabled' }
);

/**
 * Whether a delivery is tried again after it failed, and whether its rule goes on. A test says nothing about the rule,
 * and what a receiver answered that the rule has no longer neither.
 */
export function afterFailure(
  failure: Failure,
  retryDelaysMs: readonly number[],
  random?: () => number,
): AfterFailure {
  const { trigger, statusCode, failingSince, failingDays, ofReceiver, now } = failure;
  const delaysMs = trigger === 'test' ? testDelaysMs : retryDelaysMs;
  const concernsRule = trigger !== 'test' && ofReceiver;
  if (statusCode === gone && ofReceiver) {
    return { kind: 'given_up', reason: 'gone', ...(concernsRule ? { disable: 'gone' } : {}) };
  }
  const failingMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  if (concernsRule && failingMs >= failingForMs && failingDays >= leastFailingDays) {
    return { kind: 'given_up', reason: 'rule_disabled', disable: 'failing' };
  }
  const at = nextAttemptAt(delaysMs, failure, random);
  return at === undefined ? { kind: 'given_up', reason: 'attempts_exhausted' } : { kind: 'again', at };
}
