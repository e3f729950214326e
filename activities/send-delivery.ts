import { claimDelivery, type DeliveryRef, releaseDelivery } from '../domain/deliveries/claim-delivery.js';
import { recordDeliveryNews } from '../domain/deliveries/record-delivery-news.js';
import { CarrierBusy, CarrierOutcomeUnknown, CarrierRefused } from '../providers/carrier/carrier.js';
import type { ActivityDependencies } from './dependencies.js';

/**
 * Claims the attempt, sends, records. A repeat that finds the attempt claimed sends nothing: its outcome is
 * resolved later.
 *
 * @throws CarrierBusy when it was certainly not sent: the claim is given back
 */
export async function sendDelivery(dependencies: ActivityDependencies, ref: DeliveryRef): Promise<void> {
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
    if (error instanceof CarrierBusy) await releaseDelivery(dependencies, ref, claim.attempt);
    throw error;
  }
}

/** The message's uuid and the attempt are part of the address, so that a callback needs no look-up of its own. */
function statusCallbackUrl(
  publicUrl: string,
  claim: { workspaceUuid: string; messageUuid: string; attempt: number },
): string {
  const path = `/api/v2/w/${claim.workspaceUuid}/carrier-messages/${claim.messageUuid}/status`;
  return `${publicUrl}${path}?attempt=${claim.attempt}`;
}
