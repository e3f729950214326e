import { setTimeout as delay } from 'node:timers/promises';
import type { ApplicationFailure } from '@temporalio/activity';
import {
  type Claim,
  claimAttempt,
  type WebhookRef,
} from '../../domain/events/webhook-deliveries/claim-attempt.js';
import { deferAttempt } from '../../domain/events/webhook-deliveries/defer-attempt.js';
import { requestsPerReceiver } from '../../domain/events/webhook-deliveries/limits.js';
import type { Admission } from '../../domain/lib/admission.js';
import type { WebhookOutcome } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { postWebhook } from './post-webhook.js';
import { QueueFull, type ReceiverQueue } from './receiver-queue.js';
import { retryAt } from './retry-at.js';

/** How long an attempt waits in its process's queue, and then for slots that other workers hold. */
const patienceMs = 1_000;
const minPollMs = 25;

export interface AttemptContext extends ActivityDependencies {
  /** What each workspace may hold of the worker. */
  shares: Admission<'workspace'>;
  queue: ReceiverQueue;
}

/** Makes the next attempt of a delivery once there is room for it. @throws ApplicationFailure with the retry's time */
export async function attemptWebhook(
  context: AttemptContext,
  ref: WebhookRef,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const leave = await enter(context, ref, signal).catch(async (error: unknown) => {
    throw error instanceof QueueFull ? await deferred(context, ref, error.reason) : error;
  });
  try {
    return await makeAttempt(context, ref, signal);
  } finally {
    leave();
  }
}

/** Waits until there is room in the worker, and then for the receiver. @throws QueueFull */
async function enter(
  { shares, queue }: AttemptContext,
  ref: WebhookRef,
  signal: AbortSignal,
): Promise<() => void> {
  const leaveShare = shares.admit({ workspace: ref.workspaceId });
  try {
    const leaveQueue = await queue.enter(ref, { timeoutMs: patienceMs, signal });
    return () => {
      leaveQueue();
      leaveShare();
    };
  } catch (error) {
    leaveShare();
    throw error;
  }
}

async function makeAttempt(
  context: AttemptContext,
  ref: WebhookRef,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const claim = await claimInTime(context, ref, signal);
  if (claim.kind === 'settled') return { status: claim.status, attempts: claim.attempts };
  if (claim.kind === 'full') throw await deferred(context, ref, 'receiver_busy');
  if (claim.kind === 'on_probation') throw await deferred(context, ref, 'receiver_on_probation', claim.at);
  if (claim.kind !== 'claimed') {
    const message = claim.kind === 'not_due' ? 'it is not time yet' : 'another attempt is under way';
    throw retryAt(context, { type: claim.kind, message, at: claim.at });
  }
  const { attempt, request } = claim;
  context.queue.record(ref, attempt);
  return postWebhook(context, attempt, request, signal);
}

/**
 * Claims the attempt. While others use the receiver's room, retries for a while: first after about the time in which a
 * slot becomes free, then with exponential backoff, because each retry costs a claim.
 */
async function claimInTime(context: AttemptContext, ref: WebhookRef, signal: AbortSignal): Promise<Claim> {
  const { encryption, retryDelaysMs } = context.webhooks;
  const until = Date.now() + patienceMs;
  for (let waits = 1; ; waits *= 2) {
    const claim = await claimAttempt({ ...context, encryption, retryDelaysMs }, ref);
    if (claim.kind !== 'full') return claim;
    context.queue.record(ref, claim);
    const waitMs = waits * Math.max(claim.meanDurationMs / requestsPerReceiver, minPollMs);
    if (Date.now() + waitMs > until) return claim;
    await delay(waitMs, undefined, { signal });
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
