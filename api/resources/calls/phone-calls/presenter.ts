import { roundPrice } from '../../../../domain/calls/compare-bill.js';
import type { PhoneCallView } from '../../../../domain/conversations/phone-calls/read-calls.js';
import type { Actor } from '../../../../domain/kernel/actor.js';
import { presentAssistant } from '../../conversations/assistants/presenter.js';
import type { PhoneCallResponse } from './schemas.js';

/** Shows the agent without its instructions. */
export function presentCall(call: PhoneCallView, actor: Actor): PhoneCallResponse {
  return {
    ...call,
    twilioCallId: call.carrierCallId ?? '',
    agent: call.agent && { ...presentAssistant(call.agent, actor), instructions: undefined },
    hungUpByMemberId: actor.can('chats:read') ? call.hungUpByMemberId : undefined,
    recordingNotice: presentNotice(call),
    ...billOf(call, actor.can('workspace:read')),
  };
}

function billOf(call: PhoneCallView, isShown: boolean) {
  if (!isShown) return { price: undefined, priceUnit: undefined };
  const { price, priceUnit, expectedPrice, durationSeconds, measuredSeconds, carrierStatus } = call;
  const isMeasured = durationSeconds !== null && measuredSeconds !== null && carrierStatus !== null;
  return {
    price,
    priceUnit,
    costDifference: price === null || expectedPrice === null ? null : roundPrice(price - expectedPrice),
    durationDifference: isMeasured ? durationSeconds - measuredSeconds : null,
  };
}

function presentNotice({ recordingNotice, recordingConsent, recordingNoticedAt: at }: PhoneCallView) {
  if (recordingNotice === null || recordingConsent === null) return undefined;
  return { text: recordingNotice.map(({ text }) => text).join(' '), consent: recordingConsent, at };
}
