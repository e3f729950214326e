import {
  claimDelivery,
  type DeliveryRef,
  releaseDelivery,
} from '../../domain/channels/deliveries/claim-delivery.js';
import { recordDeliveryNews } from '../../domain/channels/deliveries/record-delivery-news.js';
import type { DeliveryNews } from '../../domain/channels/deliveries/settle-delivery.js';
import { notConfigured, ProviderRefused } from '../../providers/failures.js';
import { performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/**
 * Sends one message, at most once. If the outcome is unknown, the claim stays, and a callback or a look-up resolves it
 * later.
 *
 * @throws ProviderBusy, ProviderUnusable when it was certainly not sent
 */
export async function sendDelivery(dependencies: ActivityDependencies, ref: DeliveryRef): Promise<void> {
  const { carrier, publicUrl } = dependencies;
  await performOnce({
    claim: (token) => claimDelivery(dependencies, ref, token),
    perform: async (claim) => {
      if (carrier === undefined) throw new ProviderRefused('carrier', notConfigured);
      const { from, to, body, validitySeconds } = claim;
      const statusCallback = statusCallbackUrl(publicUrl, claim);
      return carrier.sendSms({ from, to, body, validitySeconds, statusCallback });
    },
    record: async (outcome, { attempt }, token) => {
      const tell = (news: Omit<DeliveryNews, 'learntBy'>) =>
        recordDeliveryNews(dependencies, ref, attempt, news);
      switch (outcome.kind) {
        case 'done':
          return tell({ state: 'sent', carrierMessageId: outcome.result.carrierMessageId });
        case 'refused':
          return tell(
            outcome.code === notConfigured
              ? { state: 'failed', failureReason: outcome.reason }
              : { state: 'failed', errorCode: outcome.code },
          );
        case 'released':
          return releaseDelivery(dependencies, ref, { token, counts: outcome.counts });
        case 'unknown':
          return undefined;
      }
    },
  });
}

/** The URL contains the message's uuid and the attempt, so that a callback needs no look-up of its own. */
function statusCallbackUrl(
  publicUrl: string,
  claim: { workspaceUuid: string; messageUuid: string; attempt: number },
): string {
  const path = `/api/v2/w/${claim.workspaceUuid}/carrier-messages/${claim.messageUuid}/status`;
  return `${publicUrl}${path}?attempt=${claim.attempt}`;
}
