import { ApplicationFailure } from '@temporalio/activity';
import { claimDelivery, type DeliveryRef, releaseDelivery } from '../domain/deliveries/claim-delivery.js';
import { findUnknownDelivery } from '../domain/deliveries/find-unknown-delivery.js';
import { nextDelivery } from '../domain/deliveries/next-delivery.js';
import { recordDeliveryNews } from '../domain/deliveries/record-delivery-news.js';
import { deliveryStatusOf } from '../domain/sms/delivery-status.js';
import { CarrierBusy, CarrierOutcomeUnknown, CarrierRefused } from '../providers/carrier/carrier.js';
import type { DeliveryStep } from '../workflows/contracts/steps.js';
import type { ActivityDependencies } from './dependencies.js';

/** What goes out through the carrier. */
export function deliveryActivities(dependencies: ActivityDependencies) {
  return {
    /** Database step, safe to repeat. */
    nextDelivery: (input: { workspaceId: number; chatId: number }): Promise<DeliveryStep> =>
      nextDelivery(dependencies, input),

    /**
     * Claims the attempt, sends, records. A repeat that finds the attempt claimed sends nothing: its outcome is
     * resolved later.
     */
    async sendDelivery(ref: DeliveryRef): Promise<void> {
      const { carrier, publicUrl } = dependencies;
      const claim = await claimDelivery(dependencies, ref);
      if (claim.kind !== 'claimed') return;
      if (carrier === undefined) {
        await recordDeliveryNews(dependencies, ref, claim.attempt, {
          state: 'failed',
          failureReason: 'carrier_not_configured',
        });
        return;
      }
      try {
        const sent = await carrier.sendSms({
          from: claim.from,
          to: claim.to,
          body: claim.body,
          statusCallback: statusCallbackUrl(publicUrl, claim),
        });
        const { carrierMessageId } = sent;
        await recordDeliveryNews(dependencies, ref, claim.attempt, { state: 'sent', carrierMessageId });
      } catch (error) {
        if (error instanceof CarrierOutcomeUnknown) return;
        if (error instanceof CarrierRefused) {
          const news = { state: 'failed', errorCode: error.code } as const;
          await recordDeliveryNews(dependencies, ref, claim.attempt, news);
          return;
        }
        if (error instanceof CarrierBusy) {
          await releaseDelivery(dependencies, ref, claim.attempt);
          throw busy(error);
        }
        throw error;
      }
    },

    /** Looks up at the carrier what became of a claimed attempt. Never sends. */
    async resolveDelivery(ref: DeliveryRef): Promise<void> {
      const unknown = await findUnknownDelivery(dependencies, ref);
      if (unknown === undefined) return;
      try {
        const found = await dependencies.carrier?.findSms(unknown);
        const state = found === undefined ? undefined : (deliveryStatusOf(found.status) ?? 'sent');
        await recordDeliveryNews(
          dependencies,
          ref,
          unknown.attempt,
          found === undefined || state === undefined
            ? { state: 'failed', failureReason: 'unknown_outcome' }
            : {
                state,
                carrierMessageId: found.carrierMessageId,
                ...(found.errorCode === undefined ? {} : { errorCode: found.errorCode }),
              },
        );
      } catch (error) {
        if (error instanceof CarrierBusy) throw busy(error);
        throw error;
      }
    },
  };
}

function busy(error: CarrierBusy): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'the carrier is busy',
    type: 'carrier_busy',
    ...(error.retryAfterMs === undefined ? {} : { nextRetryDelay: error.retryAfterMs }),
  });
}

/** The message's uuid and the attempt are part of the address, so that a callback needs no look-up of its own. */
function statusCallbackUrl(
  publicUrl: string,
  claim: { workspaceUuid: string; messageUuid: string; attempt: number },
): string {
  const path = `/api/v2/w/${claim.workspaceUuid}/carrier-messages/${claim.messageUuid}/status`;
  return `${publicUrl}${path}?attempt=${claim.attempt}`;
}
