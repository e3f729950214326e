import { findOpenCall } from '../../db/calls/phone-calls.js';
import { findChannel } from '../channels/deliveries/channels.js';
import { queueDelivery, whyUndeliverable } from '../channels/deliveries/queue-delivery.js';
import type { Outreach } from '../kernel/outreach.js';
import { requestCall } from './request-call.js';

/** Reaches members by the channels of the service and by its carrier. */
export const liveOutreach: Outreach = {
  delivers: (channel) => findChannel(channel) !== undefined,
  deliver: (tx, chat, message, now) => queueDelivery(tx, chat, message, now, { forTask: true }),
  whyUndeliverable: (tx, chat, now) => whyUndeliverable(tx, chat, now),
  async call(tx, { chat, assignmentTaskId, from, now }) {
    const number = from === undefined ? undefined : { number: from };
    const requested = await requestCall(tx, { chat, from: number, begunBy: 'task', assignmentTaskId, now });
    if ('call' in requested) return 'placed';
    return requested.refused === 'call_in_progress' ? 'on_phone' : 'refused';
  },
  isInCall: async (tx, { id }) => (await findOpenCall(tx, id)) !== undefined,
};
