import { setTimeout as delay } from 'node:timers/promises';
import type { ApplicationFailure } from '@temporalio/activity';
import { type Claim, claimAttempt, type WebhookRef } from '../domain/webhook-deliveries/claim-attempt.js';
import { deferAttempt } from '../domain/webhook-deliveries/defer-attempt.js';
import { requestsPerReceiver } from '../domain/webhook-deliveries/limits.js';
import type { WebhookOutcome } from '../workflows/contracts/steps.js';
import type { ActivityDependencies } from './dependencies.js';
import type { Lanes } from './lanes.js';
import { postWebhook } from './post-webhook.js';
import type { Receivers } from './receivers.js';
import { tryAgain } from './try-again.js';
import type { WorkerShare } from './worker-share.js';

/** So long an attempt waits here for its receiver to have room; for longer it is put off. */
const patienceMs = 1_000;
const shortestTurnMs = 25;

export interface AttemptContext extends ActivityDependencies {
  lanes: Lanes;
  share: WorkerShare;
  receivers: Receivers;
}

/**
 * Makes the next attempt of a delivery as soon as there is room for it, in this worker and at its receiver.
 *
 * @throws ApplicationFailure to be run again, when it says
 */
export async function attemptWebhook(
  context: AttemptContext,
  ref: WebhookRef,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const giveBack = context.share.take(ref.workspaceId);
  if (giveBack === undefined) throw await deferred(context, ref, 'workspace_busy');
  try {
    const { lane, meanDurationMs } = context.receivers.of(ref.ruleId);
    const leave = await context.lanes.enter(lane, {
      withinMs: patienceMs,
      turnMs: meanDurationMs / requestsPerReceiver,
      signal,
    });
    if (leave === undefined) throw await deferred(context, ref, 'receiver_busy');
    try {
      return await makeAttempt(context, ref, signal);
    } finally {
      leave();
    }
  } finally {
    giveBack();
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
  if (claim.kind !== 'claimed') {
    const message = claim.kind === 'not_due' ? 'it is not time yet' : 'another attempt is under way';
    throw tryAgain(context, { type: claim.kind, message, at: claim.at });
  }
  const { attempt, request } = claim;
  context.receivers.learn(ref.ruleId, attempt);
  return postWebhook(context, attempt, request, signal);
}

/** Where other workers take the receiver's room, asks again for a while: about as often as one of them leaves. */
async function claimInTime(context: AttemptContext, ref: WebhookRef, signal: AbortSignal): Promise<Claim> {
  const { encryption, retryDelaysMs } = context.webhooks;
  const until = Date.now() + patienceMs;
  for (;;) {
    const claim = await claimAttempt({ ...context, encryption, retryDelaysMs }, ref);
    if (claim.kind !== 'full') return claim;
    context.receivers.learn(ref.ruleId, claim);
    const turnMs = Math.max(claim.meanDurationMs / requestsPerReceiver, shortestTurnMs);
    if (Date.now() + turnMs > until) return claim;
    await delay(turnMs, undefined, { signal });
  }
}

async function deferred(
  context: AttemptContext,
  ref: WebhookRef,
  type: 'receiver_busy' | 'workspace_busy',
): Promise<ApplicationFailure> {
  const at = await deferAttempt(context, ref);
  const message =
    type === 'receiver_busy' ? 'the receiver has no room for more requests' : 'others have their turn';
  return tryAgain(context, { type, message, at });
}
