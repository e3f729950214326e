import { carrierBase } from '../../domain/calls/call-addresses.js';
import { deliveryStatusOf } from '../../domain/channels/sms/delivery-status.js';
import { smsText } from '../../domain/channels/sms/sms-text.js';
import type { CarrierMessage } from '../../providers/carrier/carrier.js';
import { notConfigured, ProviderRefused } from '../../providers/failures.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import type { Accepted, ChannelSender } from './channel-sender.js';
import { mediaAddresses, requireBytes } from './message-media.js';

export function smsSender(dependencies: ActivityDependencies): ChannelSender {
  const { carrier } = dependencies;
  return {
    looksUp: true,
    async send(claim) {
      if (carrier === undefined) throw new ProviderRefused('carrier', notConfigured);
      const { from, to, validitySeconds } = claim;
      const body = smsText(claim.body);
      await requireBytes(dependencies, claim);
      const base = carrierBase(`${dependencies.publicUrl}/api/v2`, claim.publicPath);
      const statusCallback = statusCallbackUrl(base, claim);
      const mediaUrls = mediaAddresses(dependencies, claim);
      return carrier.sendSms({ from, to, body, mediaUrls, validitySeconds, statusCallback });
    },
    async find(attempt) {
      const body = smsText(attempt.body);
      // The last release has sent messages as they are stored.
      const found =
        (await carrier?.findSms({ ...attempt, body })) ??
        (body === attempt.body ? undefined : await carrier?.findSms(attempt));
      return found && acceptedOf(found);
    },
    async ask(carrierMessageId) {
      const found = await carrier?.smsStatus(carrierMessageId);
      return found && acceptedOf(found);
    },
  };
}

function acceptedOf({ carrierMessageId, status, errorCode }: CarrierMessage): Accepted {
  const state = deliveryStatusOf(status) ?? 'sent';
  return { state, carrierMessageId, ...(errorCode === undefined ? {} : { errorCode }) };
}

/** The URL contains the message's uuid and the attempt, so that a callback needs no look-up of its own. */
function statusCallbackUrl(
  base: string,
  claim: { workspaceUuid: string; messageUuid: string; attempt: number },
): string {
  const path = `/w/${claim.workspaceUuid}/carrier-messages/${claim.messageUuid}/status`;
  return `${base}${path}?attempt=${claim.attempt}`;
}
