import type { WebhookDeliveryRow } from '../../../db/events/webhook-deliveries.js';
import { type FailedAttempts, nextAttemptAt, testDelaysMs } from './schedule.js';

const hour = 3_600_000;
/** How long all attempts of a rule must have failed before it is disabled. */
export const failingForMs = 5 * 24 * hour;
/**
 * On how many days attempts must have failed before the rule is disabled: two events a week apart say little about a
 * receiver.
 */
export const leastFailingDays = 3;

const gone = 410;

export interface Failure extends FailedAttempts {
  trigger: WebhookDeliveryRow['trigger'];
  statusCode: number | null;
  /** Since when all attempts of the rule have failed; null if this is the first failure. */
  failingSince: Date | null;
  /** On how many days (UTC) attempts have failed since then, this one included. */
  failingDays: number;
  /** Whether the attempt went to the rule's current receiver. */
  ofReceiver: boolean;
}

/** The consequences of a failed attempt. */
export type AfterFailure = { disable?: 'gone' | 'failing' } & (
  | { kind: 'again'; at: Date }
  | { kind: 'given_up'; reason: 'attempts_exhausted' | 'gone' | 'rule_disabled' }
);

/**
 * Decides whether a failed delivery is retried and whether its rule is disabled. Tests, and attempts at a previous
 * receiver of the rule, do not affect the rule.
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
