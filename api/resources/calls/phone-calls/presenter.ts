import type { PhoneCallRow } from '../../../../db/calls/phone-calls.js';
import { roundPrice } from '../../../../domain/calls/compare-bill.js';
import type { PhoneCallView } from '../../../../domain/conversations/calls/read-calls.js';
import type { Actor } from '../../../../domain/kernel/actor.js';
import { presentAssistant } from '../../conversations/assistants/presenter.js';
import { presentMember } from '../../people/members/presenter.js';
import type { CallStateResponse, PhoneCallResponse } from './schemas.js';

/** Shows the agent without its instructions. */
export function presentCall(call: PhoneCallView, actor: Actor): PhoneCallResponse {
  return {
    ...presentCallState(call),
    phoneNumberId: call.phoneNumberId,
    twilioCallId: call.carrierCallId ?? '',
    credits: call.credits,
    workflowId: call.workflowId,
    ...present({
      chatId: call.chatId,
      member: call.member && presentMember(call.member),
      agent: call.agent && presentAgent(call.agent, actor),
      hungUpAt: call.hungUpAt?.toISOString(),
      ...(actor.can('chats:read') ? { hungUpByMemberId: call.hungUpByMemberId } : {}),
      identityProvedAt: call.identityProvedAt?.toISOString(),
      recordingNotice: presentNotice(call),
      ...(actor.can('workspace:read') ? billOf(call) : {}),
    }),
  };
}

function billOf({
  price,
  priceUnit,
  expectedPrice,
  durationSeconds,
  measuredSeconds,
  carrierStatus,
}: PhoneCallRow) {
  const isMeasured = durationSeconds !== null && measuredSeconds !== null && carrierStatus !== null;
  return {
    price,
    priceUnit,
    costDifference: price === null || expectedPrice === null ? null : roundPrice(price - expectedPrice),
    durationDifference: isMeasured ? durationSeconds - measuredSeconds : null,
  };
}

/** What every reader of the call's chat may see. */
export function presentCallState(call: PhoneCallRow): CallStateResponse {
  return {
    id: call.id,
    status: call.status,
    inbound: call.inbound,
    createdAt: call.createdAt.toISOString(),
    terminationReason: call.terminationReason,
    ...present({
      startedAt: call.startedAt?.toISOString(),
      finishedAt: call.finishedAt?.toISOString(),
      carrierStatus: call.carrierStatus,
      failureDetail: call.failureDetail,
      blockedReason: call.blockedReason,
      transferBlockedReason: call.transferBlockedReason,
      durationSeconds: call.durationSeconds,
    }),
  };
}

function presentAgent(agent: NonNullable<PhoneCallView['agent']>, actor: Actor) {
  const { instructions: _, ...shown } = presentAssistant(agent, actor);
  return shown;
}

function presentNotice({ recordingNotice, recordingConsent, recordingNoticedAt }: PhoneCallView) {
  if (recordingNotice === null || recordingConsent === null) return undefined;
  return {
    text: recordingNotice.map(({ text }) => text).join(' '),
    consent: recordingConsent,
    ...present({ at: recordingNoticedAt?.toISOString() }),
  };
}

type Given<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> };

/** Leaves out what there is not. */
function present<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<Values>;
}
