import {
  beginAttempt,
  countLost,
  findLease,
  type HeldForAttempt,
  holdForAttempt,
  type StartedAttempt,
} from '../../../db/events/webhook-claims.js';
import {
  findWebhookDeliveryRow,
  scheduleAttempt,
  settleWebhookDelivery,
  type WebhookDeliveryRow,
} from '../../../db/events/webhook-deliveries.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type Encryption, Undecipherable } from '../../lib/encryption.js';
import { signingSecretsOf } from '../event-rules/signing-secrets.js';
import { leaseMs, maxLostInARow, probation, requestsPerHost, requestsPerReceiver } from './limits.js';
import { defaultRetryDelaysMs, nextAttemptAt, testDelaysMs } from './schedule.js';

export interface WebhookRef {
  workspaceId: number;
  deliveryId: number;
  ruleId: number;
}

/** An attempt that is exclusive to its claimer until the lease expires. */
export interface ClaimedAttempt
  extends WebhookRef,
    Pick<StartedAttempt, 'number' | 'failures'>,
    Pick<HeldForAttempt, 'trigger' | 'endpointId' | 'hostId' | 'hasAnswered' | 'meanDurationMs'> {
  attemptId: number;
}

/** The request to send. Without secrets it is not signed; if the secrets cannot be decrypted, it is not sent. */
export interface WebhookToSend extends Pick<HeldForAttempt, 'url' | 'eventUuid' | 'body'> {
  secrets: readonly string[] | Undecipherable;
}

/** The context of those who make attempts. */
export interface WebhookContext extends ServiceContext {
  encryption: Encryption;
  /** Default: `defaultRetryDelaysMs`. */
  retryDelaysMs?: readonly number[];
  /** From 0 to 1; default: `Math.random`. */
  random?: () => number;
}

export type WebhookStatus = WebhookDeliveryRow['status'];

export type Claim =
  | { kind: 'claimed'; attempt: ClaimedAttempt; request: WebhookToSend }
  | { kind: 'settled'; status: WebhookStatus; attempts: number }
  /** The attempt is not due yet, or another execution holds the lease until then. */
  | { kind: 'not_due' | 'under_way'; at: Date }
  /** The host has never answered and pauses until then. */
  | { kind: 'on_probation'; at: Date }
  /** The receiver, or its host, has reached its limit of concurrent requests. */
  | { kind: 'full'; endpointId: number; hostId: number; meanDurationMs: number };

const limits = { url: requestsPerReceiver, host: requestsPerHost, newHost: probation.requests };

/**
 * Claims the next attempt of a delivery, within the limits of its receiver and of the receiver's host over all
 * processes. An attempt whose lease has expired is marked as lost, and the fifth in a row counts as a failure
 * (docs/decisions/0056-attempts-of-webhooks.md). If the rule was deleted or disabled, the delivery is settled.
 */
export async function claimAttempt(context: WebhookContext, ref: WebhookRef): Promise<Claim> {
  try {
    return await claimOnce(context, ref);
  } catch (error) {
    if (error instanceof ReceiverChanged) return claimOnce(context, ref);
    throw error;
  }
}

async function claimOnce(context: WebhookContext, ref: WebhookRef): Promise<Claim> {
  const { db, clock, encryption } = context;
  const { deliveryId, ruleId } = ref;
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  return db.inWorkspace(ref.workspaceId, async (tx) => {
    const [held, begun, secrets] = await Promise.all([
      holdForAttempt(tx, deliveryId),
      beginAttempt(tx, { deliveryId, now, leaseUntil, limits, maxLost: maxLostInARow }),
      signingSecretsOf(tx, encryption, ruleId, now).catch(unreadable),
    ]);
    if (held === undefined) {
      const delivery = await findWebhookDeliveryRow(tx, deliveryId);
      if (delivery === undefined) return { kind: 'settled', status: 'cancelled', attempts: 0 };
      throw new ReceiverChanged();
    }
    if (begun === undefined) return withoutAttempt(context, tx, ref, held, now);
    const { url, eventUuid, body, trigger, endpointId, hostId, hasAnswered, meanDurationMs } = held;
    const { id: attemptId, number, failures } = begun;
    const receiver = { endpointId, hostId, hasAnswered, meanDurationMs };
    return {
      kind: 'claimed',
      attempt: { ...ref, attemptId, number, failures, trigger, ...receiver },
      request: { url, eventUuid, body, secrets },
    };
  });
}

function unreadable(error: unknown): Undecipherable {
  if (error instanceof Undecipherable) return error;
  throw error;
}

/** The rule's receiver changed while its row lock was awaited: nothing was claimed, and the claim is repeated. */
class ReceiverChanged extends Error {
  override readonly name = 'ReceiverChanged';
}

async function withoutAttempt(
  context: WebhookContext,
  tx: Tx,
  { deliveryId }: WebhookRef,
  held: HeldForAttempt,
  now: Date,
): Promise<Claim> {
  const { status, attemptCount: attempts, endpointId, hostId, meanDurationMs } = held;
  if (status !== 'pending') return { kind: 'settled', status, attempts };
  if (held.ruleDeleted || (!held.ruleEnabled && held.trigger !== 'test')) {
    const settlement = held.ruleDeleted
      ? ({ status: 'cancelled', failureReason: 'rule_deleted' } as const)
      : ({ status: 'failed', failureReason: 'rule_disabled' } as const);
    await settleWebhookDelivery(tx, deliveryId, { ...settlement, at: now });
    return { kind: 'settled', status: settlement.status, attempts };
  }
  const leaseUntil = await findLease(tx, deliveryId, now);
  if (leaseUntil !== undefined) return { kind: 'under_way', at: leaseUntil };
  if (held.nextAttemptAt !== null && held.nextAttemptAt > now)
    return { kind: 'not_due', at: held.nextAttemptAt };
  const failures = await countLost(tx, { deliveryId, maxLost: maxLostInARow, now });
  if (failures === undefined) {
    const { hasAnswered, nextTryAt } = held;
    const isLeftAlone = !hasAnswered && held.trigger !== 'test' && nextTryAt !== null && nextTryAt > now;
    return isLeftAlone
      ? { kind: 'on_probation', at: nextTryAt }
      : { kind: 'full', endpointId, hostId, meanDurationMs };
  }
  const delaysMs = held.trigger === 'test' ? testDelaysMs : (context.retryDelaysMs ?? defaultRetryDelaysMs);
  const at = nextAttemptAt(delaysMs, { failures, now });
  if (at !== undefined) {
    await scheduleAttempt(tx, deliveryId, { at });
    return { kind: 'not_due', at };
  }
  await settleWebhookDelivery(tx, deliveryId, {
    status: 'failed',
    failureReason: 'attempts_exhausted',
    at: now,
  });
  return { kind: 'settled', status: 'failed', attempts };
}
