import type { DeliveryRow } from '../../db/channels/deliveries.js';
import {
  claimDelivery,
  type DeliveryRef,
  releaseDelivery,
} from '../../domain/channels/deliveries/claim-delivery.js';
import {
  findUnknownDelivery,
  noteFoundNothing,
} from '../../domain/channels/deliveries/find-unknown-delivery.js';
import { holdDelivery } from '../../domain/channels/deliveries/hold-delivery.js';
import { nextDelivery } from '../../domain/channels/deliveries/next-delivery.js';
import {
  findLateReceipt,
  recordDeliveryNews,
  recordFoundMessage,
  recordLateReceipt,
} from '../../domain/channels/deliveries/record-delivery-news.js';
import { type DeliveryNews, unknownOutcome } from '../../domain/channels/deliveries/settle-delivery.js';
import { deliveryStatusOf } from '../../domain/channels/sms/delivery-status.js';
import type { CarrierMessage } from '../../providers/carrier/carrier.js';
import { notConfigured, ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import type { DeliveryDone, DeliveryStep } from '../../workflows/contracts/steps.js';
import { performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { longestRetryMs, retryLater } from '../kernel/retry-later.js';
import { bytesLost, isOfStorage, mediaAddresses, requireBytes } from './message-media.js';

export function deliveryActivities(dependencies: ActivityDependencies) {
  return {
    /** Safe to repeat: the next step is determined anew, and a claimed attempt is not made again. */
    async deliverNext(input: { workspaceId: number; chatId: number }): Promise<DeliveryStep> {
      const next = await nextDelivery(dependencies, input);
      if (next.kind === 'wait' || next.kind === 'idle') return next;
      const { kind: act, deliveryId: lastDeliveryId } = next;
      const ref = { workspaceId: input.workspaceId, deliveryId: next.deliveryId };
      try {
        if (next.kind === 'send') await sendDelivery(dependencies, ref);
        else if (next.kind === 'resolve') await resolveDelivery(dependencies, ref);
        else await askForReceipt(dependencies, ref);
      } catch (error) {
        if (isOfStorage(error)) await holdDelivery(dependencies, ref);
        else if (error instanceof ProviderUnusable) return untilUsable(dependencies, error);
        else throw retryLater(error);
      }
      const { last, ...then } = await nextDelivery(dependencies, { ...input, lastDeliveryId });
      const step: DeliveryStep = then.kind === 'wait' || then.kind === 'idle' ? then : { kind: 'again' };
      return last === undefined ? step : { ...step, done: doneOf(act, last) };
    },
  };
}

function doneOf(
  act: DeliveryDone['act'],
  { messageId, state, failureReason }: Pick<DeliveryRow, 'messageId' | 'state' | 'failureReason'>,
): DeliveryDone {
  return { act, messageId, state, ...(failureReason === null ? {} : { reason: failureReason }) };
}

/** Looks up the outcome of a claimed attempt at the carrier. Never sends. */
async function resolveDelivery(dependencies: ActivityDependencies, ref: DeliveryRef): Promise<void> {
  const unknown = await findUnknownDelivery(dependencies, ref);
  if (unknown === undefined) return;
  const { attempt, isPast } = unknown;
  const giveUp = () =>
    recordDeliveryNews(dependencies, ref, attempt, { state: 'failed', failureReason: unknownOutcome });
  try {
    const found = await dependencies.carrier?.findSms(unknown);
    const isRecorded =
      found !== undefined && (await recordFoundMessage(dependencies, ref, attempt, newsOf(found)));
    if (!isRecorded && (await noteFoundNothing(dependencies, ref, attempt))) await giveUp();
  } catch (error) {
    if (!(error instanceof ProviderUnusable && isPast)) throw error;
    await giveUp();
  }
}

/** Asks the carrier for the status of a message whose receipt is late. */
async function askForReceipt(dependencies: ActivityDependencies, ref: DeliveryRef): Promise<void> {
  const late = await findLateReceipt(dependencies, ref);
  if (late === undefined) return;
  const { attempt, carrierMessageId } = late;
  const found =
    carrierMessageId === null ? undefined : await dependencies.carrier?.smsStatus(carrierMessageId);
  const news = found === undefined ? { state: 'sent' as const } : newsOf(found);
  await recordLateReceipt(dependencies, ref, attempt, news);
}

function newsOf({ carrierMessageId, status, errorCode }: CarrierMessage) {
  const state = deliveryStatusOf(status) ?? 'sent';
  return { state, carrierMessageId, ...(errorCode === undefined ? {} : { errorCode }) };
}

/** The run itself waits while the account is unusable, so that a poke or a receipt still reaches it. */
function untilUsable({ clock }: ActivityDependencies, { details }: ProviderUnusable): DeliveryStep {
  const until = clock.now().getTime() + (details.retryAfterMs ?? longestRetryMs);
  return { kind: 'wait', until, code: 'carrier_unusable' };
}

/**
 * Sends one message, at most once. If the outcome is unknown, a callback or a look-up resolves the claim later.
 * @throws ProviderBusy, ProviderUnusable when it was certainly not sent
 */
async function sendDelivery(dependencies: ActivityDependencies, ref: DeliveryRef): Promise<void> {
  const { carrier, publicUrl } = dependencies;
  await performOnce({
    claim: (token) => claimDelivery(dependencies, ref, token),
    perform: async (claim) => {
      if (carrier === undefined) throw new ProviderRefused('carrier', notConfigured);
      const { from, to, body, validitySeconds } = claim;
      await requireBytes(dependencies, claim);
      const statusCallback = statusCallbackUrl(publicUrl, claim);
      const mediaUrls = mediaAddresses(dependencies, claim);
      return carrier.sendSms({ from, to, body, mediaUrls, validitySeconds, statusCallback });
    },
    record: async (outcome, { attempt }, token) => {
      const tell = (news: Omit<DeliveryNews, 'learntBy'>) =>
        recordDeliveryNews(dependencies, ref, attempt, news);
      switch (outcome.kind) {
        case 'done':
          return tell({ state: 'sent', carrierMessageId: outcome.result.carrierMessageId });
        case 'refused':
          return tell({ state: 'failed', ...failureOf(outcome) });
        case 'released':
          return releaseDelivery(dependencies, ref, { token, counts: outcome.counts });
        case 'unknown':
          return undefined;
      }
    },
  });
}

function failureOf({ reason, code }: { reason: string; code: string }): Partial<DeliveryNews> {
  if (code === notConfigured) return { failureReason: reason };
  return code === bytesLost ? { failureReason: 'file_deleted' } : { errorCode: code };
}

/** The URL contains the message's uuid and the attempt, so that a callback needs no look-up of its own. */
function statusCallbackUrl(
  publicUrl: string,
  claim: { workspaceUuid: string; messageUuid: string; attempt: number },
): string {
  const path = `/api/v2/w/${claim.workspaceUuid}/carrier-messages/${claim.messageUuid}/status`;
  return `${publicUrl}${path}?attempt=${claim.attempt}`;
}
