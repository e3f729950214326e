import type { WebhookDeliveryRow } from '../../../db/events/webhook-deliveries.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const maxWaitMs = 24 * hour;

/** Delays before the attempts, each after the previous one; the length is the number of attempts. */
export const defaultRetryDelaysMs: readonly number[] = [
  ...[0, 5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/** A test is sent once, because a person watches its result. */
export const testDelaysMs: readonly number[] = [0];

export interface FailedAttempts {
  /** Number of failed attempts so far, the latest included. */
  failures: number;
  /** The delay that the receiver requested. */
  retryAfterMs?: number | undefined;
  now: Date;
}

/**
 * When to retry a failed attempt: not before the schedule, with a jitter of up to a tenth, nor before the receiver's
 * own delay (at most a day). `random` is from 0 to 1. Undefined: the attempts are used up.
 */
export function nextAttemptAt(
  delaysMs: readonly number[],
  { failures, retryAfterMs = 0, now }: FailedAttempts,
  random: () => number = Math.random,
): Date | undefined {
  const delayMs = delaysMs[failures];
  if (delayMs === undefined) return undefined;
  const scheduledMs = delayMs * (1 + random() / 10);
  return new Date(Math.ceil(now.getTime() + Math.max(scheduledMs, Math.min(retryAfterMs, maxWaitMs))));
}

/** How long all attempts of a rule must have failed before it is disabled. */
export const failingForMs = 5 * 24 * hour;
/** On how many days attempts must have failed as well, because two events a week apart say little. */
export const minFailingDays = 3;

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
type AfterFailure = { disable?: 'gone' | 'failing' } & (
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
  const concernsRule = trigger !== 'test' && ofReceiver;
  if (statusCode === gone && ofReceiver) {
    return { kind: 'given_up', reason: 'gone', ...(concernsRule ? { disable: 'gone' } : {}) };
  }
  const failingMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  if (concernsRule && failingMs >= failingForMs && failingDays >= minFailingDays) {
    return { kind: 'given_up', reason: 'rule_disabled', disable: 'failing' };
  }
  const at = nextAttemptAt(trigger === 'test' ? testDelaysMs : retryDelaysMs, failure, random);
  return at === undefined ? { kind: 'given_up', reason: 'attempts_exhausted' } : { kind: 'again', at };
}
