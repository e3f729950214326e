import { setTimeout as delay } from 'node:timers/promises';
import { type ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import { cancelDelivery } from '../../domain/events/webhook-deliveries/cancel-delivery.js';
import {
  type Claim,
  claimAttempt,
  type WebhookRef,
  type WebhookStatus,
} from '../../domain/events/webhook-deliveries/claim-attempt.js';
import { deferAttempt } from '../../domain/events/webhook-deliveries/defer-attempt.js';
import { requestsPerReceiver } from '../../domain/events/webhook-deliveries/limits.js';
import type { WebhookOutcome } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { KeyedMutex } from './keyed-mutex.js';
import { postWebhook, retryAt } from './post-webhook.js';
import { TenantBulkhead } from './tenant-bulkhead.js';

/** Concurrent deliveries of a worker, and of one workspace once `softLimit` are in use. */
export const webhookSlots = { maxTotal: 100, softLimit: 50, maxPerTenant: 20 } as const;

/**
 * How long an attempt waits in this process for room at its receiver; a receiver that takes longer is not waited for.
 */
const patienceMs = 2_000;
const shortestPollMs = 10;
/** For how long attempts for a slow receiver without room are put off without a claim. */
const slowMs = 1_000;

interface AttemptContext extends ActivityDependencies {
  bulkhead: TenantBulkhead;
  /** By rule. */
  claims: KeyedMutex;
}

/** The activities that deliver events to receivers. The attempts in a process share its bulkhead and mutex. */
export function webhookActivities(dependencies: ActivityDependencies) {
  const context = { ...dependencies, bulkhead: new TenantBulkhead(webhookSlots), claims: new KeyedMutex() };
  return {
    /**
     * Makes the next attempt of a delivery, unless it is settled: claims, signs, posts and records it. Fails until it
     * is settled; the failure carries the time of the retry (docs/decisions/0056-attempts-of-webhooks.md).
     */
    async deliverWebhook(input: WebhookRef): Promise<WebhookOutcome> {
      const release = context.bulkhead.acquire(input.workspaceId);
      if (release === undefined) throw await deferred(context, input, 'workspace_busy');
      try {
        return await makeAttempt(context, input, cancellationSignal());
      } finally {
        release();
      }
    },

    /** Cancels a delivery, once an attempt in progress has ended. */
    async cancelWebhookDelivery(input: WebhookRef): Promise<{ status: WebhookStatus }> {
      const cancelled = await cancelDelivery(dependencies, input);
      if (cancelled.kind === 'settled') return { status: cancelled.status };
      const patience = new Date(Math.min(cancelled.at.getTime(), dependencies.clock.now().getTime() + 1_000));
      throw retryAt(dependencies, { type: 'under_way', message: 'an attempt is under way', at: patience });
    },
  };
}

/** @throws ApplicationFailure with the time of the retry */
async function makeAttempt(
  context: AttemptContext,
  ref: WebhookRef,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const claim = await claimInTurn(context, ref, signal);
  switch (claim.kind) {
    case 'claimed':
      return postWebhook(context, claim.attempt, claim.request, signal);
    case 'settled':
      return { status: claim.status, attempts: claim.attempts };
    case 'full':
      throw await deferred(context, ref, 'receiver_busy');
    case 'on_probation':
      throw await deferred(context, ref, 'receiver_on_probation', claim.at);
    case 'not_due':
      throw retryAt(context, { type: claim.kind, message: 'it is not time yet', at: claim.at });
    case 'under_way':
      throw retryAt(context, { type: claim.kind, message: 'another attempt is under way', at: claim.at });
  }
}

/**
 * Claims the attempt; polls while its receiver has no room, unless that takes too long. The claim enforces the limit.
 * The mutex saves claims and connections: claims of one receiver wait for each other in the database, and a slow
 * receiver has no room for the attempts behind this one either
 * (docs/decisions/0091-room-is-counted-in-the-database.md).
 */
async function claimInTurn(context: AttemptContext, ref: WebhookRef, signal: AbortSignal): Promise<Claim> {
  const { claims } = context;
  const { encryption, retryDelaysMs } = context.webhooks;
  const until = Date.now() + patienceMs;
  const isTurn = await claims.enter(ref.ruleId, patienceMs);
  if (!isTurn) return { kind: 'full', slowestMs: 0 };
  try {
    for (;;) {
      signal.throwIfAborted();
      const claim = await claimAttempt({ ...context, encryption, retryDelaysMs }, ref);
      if (claim.kind !== 'full') return claim;
      if (claim.slowestMs > patienceMs) {
        claims.close(ref.ruleId, slowMs);
        return claim;
      }
      const pollMs = Math.max(claim.slowestMs / requestsPerReceiver, shortestPollMs);
      if (Date.now() + pollMs > until) return claim;
      await delay(pollMs, undefined, { signal });
    }
  } finally {
    claims.leave(ref.ruleId);
  }
}

async function deferred(
  context: AttemptContext,
  ref: WebhookRef,
  type: keyof typeof whyDeferred,
  notBefore?: Date,
): Promise<ApplicationFailure> {
  const at = await deferAttempt(context, ref, notBefore === undefined ? {} : { notBefore });
  return retryAt(context, { type, message: whyDeferred[type], at });
}

const whyDeferred = {
  receiver_busy: 'the receiver has no room for more requests',
  receiver_on_probation: 'the host of the receiver has never answered, and is not asked again so soon',
  workspace_busy: 'others have their turn',
} as const;
