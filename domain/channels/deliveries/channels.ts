import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import { emailChannel } from '../email/email-channel.js';
import { smsChannel } from '../sms/sms-channel.js';
import type { DeliveryChannel } from './channel.js';

/** The channels on which messages are delivered. In a web chat they are read where they are stored. */
const channels: Partial<Record<string, DeliveryChannel>> = {
  'phone-sms': smsChannel,
  email: emailChannel,
};

/** @returns undefined for a chat whose messages need no delivery, or cannot be delivered by this version */
export function findChannel(name: string): DeliveryChannel | undefined {
  return channels[name];
}

export function channelOf({ channel }: Pick<DeliveryRow, 'channel'>): DeliveryChannel {
  const found = channels[channel];
  if (found === undefined) throw new Error(`nothing is delivered on the channel ${channel}`);
  return found;
}
