import { findOpenCall } from '../../db/calls/phone-calls.js';
import { findChannel } from '../channels/deliveries/channels.js';
import { queueDelivery, whyUndeliverable } from '../channels/deliveries/queue-delivery.js';
import type { Outreach } from '../kernel/outreach.js';
import { mayReachAnother } from './identity/caller-identity.js';
import { requestCall } from './request-call.js';

/** Reaches members by the channels of the service and by its carrier. */
export const liveOutreach: Outreach = {
  delivers: (channel) => findChannel(channel) !== undefined,
  deliver: queueDelivery,
  whyUndeliverable,
  mayReachAnother,
  async call(tx, call) {
    const requested = await requestCall(tx, call);
    return 'call' in requested ? 'placed' : requested.refused;
  },
  isInCall: async (tx, { id }) => (await findOpenCall(tx, id)) !== undefined,
};
