import type { CarriedFact, DeliveryFact, Invariants } from '../evidence.js';
import { groupBy } from '../group-by.js';

/**
 * @param copies what the carrier has of its text for its number, and no other delivery accounts for
 * @param own what the carrier has of the delivery itself
 */
function disagreement(delivery: DeliveryFact, copies: CarriedFact[], own: CarriedFact[]): string | undefined {
  const { state, carrierMessageId, errorCode } = delivery;
  const known = copies.find(({ sid }) => sid === carrierMessageId);
  const says =
    known === undefined ? 'the carrier has nothing of that id' : `the carrier says ${known.status}`;
  switch (state) {
    case 'queued':
      return 'nothing goes on any more';
    case 'claimed':
      // The carrier is asked a second time ten minutes after the claim.
      if (delivery.lookUps === 0) return 'nothing goes on any more';
      return copies.length === 0 ? undefined : 'the carrier took it';
    case 'delivered':
      return known?.status === 'delivered' ? undefined : says;
    case 'sent':
      if (known === undefined) return says;
      if (!delivery.receiptAwaited) return 'nobody will ask for its receipt';
      return own.some(({ endTold }) => endTold)
        ? `the carrier told that it is ${known.status}, and was answered`
        : undefined;
    case 'failed':
      if (errorCode === null) return copies.length === 0 ? undefined : 'the carrier took it';
      if (copies.length === 0) return undefined;
      return known?.status === 'undelivered' && known.errorCode === errorCode ? undefined : says;
  }
}

function nameOf({ state, failureReason }: DeliveryFact): string {
  return failureReason === null ? state : `${state} (${failureReason})`;
}

function ours(carried: CarriedFact[]): CarriedFact[] {
  return carried.filter(({ messageUuid }) => messageUuid !== null);
}

export const sendingInvariants: Invariants = {
  /** The carrier took no message of ours twice. */
  'sent-at-most-once'({ carried }) {
    return [...groupBy(ours(carried), ({ messageUuid }) => messageUuid)]
      .filter(([, copies]) => copies.length > 1)
      .map(
        ([uuid, copies]) =>
          `message ${uuid} went out as ${copies.map(({ sid, attempt }) => `${sid} (attempt ${attempt})`).join(' and ')}`,
      );
  },
  /** Whatever the carrier took has its delivery, to the same number. */
  'sent-for-a-delivery'({ carried, deliveries }) {
    return ours(carried).flatMap(({ sid, messageUuid, to }) => {
      const delivery = deliveries.find((candidate) => candidate.messageUuid === messageUuid);
      if (delivery?.recipient === to) return [];
      return [
        `the carrier has ${sid} of message ${messageUuid}: ${delivery ? 'to another number' : 'no delivery'}`,
      ];
    });
  },
  /** A delivery is settled and says what the carrier says, or awaits a receipt that got lost. */
  'delivery-agrees-with-carrier'({ carried, deliveries: all, messages }) {
    const deliveries = all.filter(({ channel }) => channel === 'phone-sms');
    const textOf = new Map(messages.map(({ id, text }) => [id, text]));
    const byMessage = groupBy(ours(carried), ({ messageUuid }) => messageUuid);
    // The carrier does not tell messages with one text to one number apart: a look-up may exchange them.
    const alike = groupBy(deliveries, (one) => `${one.recipient} ${textOf.get(one.messageId)}`);
    const twinsOf = new Map([...alike.values()].flatMap((twins) => twins.map((one) => [one, twins])));
    return deliveries.flatMap((delivery) => {
      const others = (twinsOf.get(delivery) ?? []).filter((twin) => twin !== delivery);
      const own = byMessage.get(delivery.messageUuid) ?? [];
      const copies = [...own, ...others.flatMap((twin) => byMessage.get(twin.messageUuid) ?? [])].filter(
        ({ sid }) => others.every((twin) => twin.carrierMessageId !== sid),
      );
      const problem = disagreement(delivery, copies, own);
      const shown = messages.find(({ id }) => id === delivery.messageId)?.smsDeliveryStatus;
      const found =
        problem === undefined ? [] : [`delivery ${delivery.id} is ${nameOf(delivery)}, but ${problem}`];
      if (problem === undefined && shown !== delivery.state && delivery.state !== 'claimed') {
        found.push(`delivery ${delivery.id} is ${delivery.state}, but its message shows ${shown}`);
      }
      return found;
    });
  },
  /** A chat's messages reach the carrier in the order in which they were written. */
  'sent-in-order'({ carried, deliveries }) {
    const places = new Map(ours(carried).map(({ messageUuid, sequence }) => [messageUuid, sequence]));
    return [...groupBy(deliveries, ({ chatId }) => chatId)].flatMap(([chatId, written]) => {
      const sent = written.filter(({ messageUuid }) => places.has(messageUuid));
      return sent.flatMap((delivery, index) => {
        const before = sent[index - 1];
        if (before === undefined) return [];
        const overtaken = (places.get(delivery.messageUuid) ?? 0) < (places.get(before.messageUuid) ?? 0);
        return overtaken ? [`delivery ${delivery.id} of chat ${chatId} went out before ${before.id}`] : [];
      });
    });
  },
  /** Every message that the carrier received for us is in a chat, once. */
  'what-came-in-is-in-a-chat'({ cameIn: received, messages }) {
    return received.flatMap(({ sid, from }) => {
      const taken = messages.filter(({ carrierMessageId }) => carrierMessageId === sid).length;
      return taken === 1 ? [] : [`${sid} from ${from} is in ${taken} chats`];
    });
  },
};
