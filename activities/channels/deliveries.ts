import type { DeliveryRef } from '../../domain/channels/deliveries/claim-delivery.js';
import {
  findUnknownDelivery,
  noteFoundNothing,
} from '../../domain/channels/deliveries/find-unknown-delivery.js';
import { findLateReceipt, recordLateReceipt } from '../../domain/channels/deliveries/late-receipt.js';
import { nextDelivery } from '../../domain/channels/deliveries/next-delivery.js';
import {
  recordDeliveryNews,
  recordFoundMessage,
} from '../../domain/channels/deliveries/record-delivery-news.js';
import { type DeliveryNews, unknownOutcome } from '../../domain/channels/deliveries/settle-delivery.js';
import { deliveryStatusOf } from '../../domain/channels/sms/delivery-status.js';
import type { CarrierMessage } from '../../providers/carrier/carrier.js';
import { ProviderUnusable } from '../../providers/failures.js';
import type { DeliveryStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { longestRetryMs, retryLater } from '../kernel/retry-later.js';
import { sendDelivery } from './send-delivery.js';

/** The activities that send messages through the carrier. */
export function deliveryActivities(dependencies: ActivityDependencies) {
  return {
    /**
     * Performs the next step of a chat's deliveries, and returns what follows. Safe to repeat: the next step is
     * determined anew, and a claimed attempt is not made again.
     */
    async deliverNext(input: { workspaceId: number; chatId: number }): Promise<DeliveryStep> {
      const next = await nextDelivery(dependencies, input);
      if (next.kind === 'wait' || next.kind === 'idle') return next;
      const ref = { workspaceId: input.workspaceId, deliveryId: next.deliveryId };
      try {
        if (next.kind === 'send') await sendDelivery(dependencies, ref);
        else if (next.kind === 'resolve') await resolveDelivery(dependencies, ref);
        else await askForReceipt(dependencies, ref);
      } catch (error) {
        if (error instanceof ProviderUnusable) return untilUsable(dependencies, error);
        throw retryLater(error);
      }
      const then = await nextDelivery(dependencies, input);
      return then.kind === 'wait' || then.kind === 'idle' ? then : { kind: 'again' };
    },
  };
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
  await recordLateReceipt(
    dependencies,
    ref,
    attempt,
    found === undefined ? { state: 'sent' } : newsOf(found),
  );
}

function newsOf({
  carrierMessageId,
  status,
  errorCode,
}: CarrierMessage): Omit<DeliveryNews, 'learntBy'> & { carrierMessageId: string } {
  return {
    state: deliveryStatusOf(status) ?? 'sent',
    carrierMessageId,
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

/** The run itself waits while the account is unusable, so that a poke or a receipt still reaches it. */
function untilUsable({ clock }: ActivityDependencies, { details }: ProviderUnusable): DeliveryStep {
  return { kind: 'wait', until: clock.now().getTime() + (details.retryAfterMs ?? longestRetryMs) };
}
