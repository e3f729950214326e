import Type from 'typebox';
import { answerOutgoingCall } from '../../../../domain/conversations/phone-calls/carrier-callbacks.js';
import type { ServiceContext } from '../../../../domain/kernel/context.js';
import { carrierSignature } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import type { Services } from '../../../http/services.js';
import { CallForm } from '../carrier-calls/schemas.js';
import { twimlResponse } from '../twiml-response.js';

const path =
  '/w/{workspace_uuid}/chats/outbound-call-handler/{phone_number_id}/{chat_id}/{phone_call_id}' as const;
const id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const params = Type.Object({
  workspace_uuid: Type.String({ maxLength: 200 }),
  phone_number_id: id,
  chat_id: id,
  phone_call_id: { ...id, description: 'The call that was placed' },
});
const common = {
  path,
  tag: 'Carrier',
  access: carrierSignature(),
  params,
  response: twimlResponse,
} as const;
const example = { chat_id: demo.chatWithoutWorkflow, phone_call_id: demo.phoneCallId };
const given = { CallSid: demo.carrierCallId, CallStatus: 'in-progress' };
const description =
  'Asked by the carrier when a call that the service has placed is answered: agent, `startedAt` and status of the call are set, and the answer opens its stream. The same however often it is asked; an unknown or ended call is hung up.';

interface Asked {
  context: ServiceContext;
  services: Services;
  params: { workspace_uuid: string; phone_number_id: number; chat_id: number; phone_call_id: number };
}

async function answer(
  { context, services, params: named }: Asked,
  { CallSid, CallStatus = 'in-progress' }: { CallSid: string; CallStatus?: string },
): Promise<string> {
  const instructions = await answerOutgoingCall(context, services.calls, {
    workspaceUuid: named.workspace_uuid,
    phoneNumberId: named.phone_number_id,
    chatId: named.chat_id,
    callId: named.phone_call_id,
    carrierCallId: CallSid,
    status: CallStatus,
  });
  return services.calls.answer(instructions);
}

const byForm = defineRoute({
  operationId: 'handleOutboundCall',
  method: 'POST',
  ...common,
  summary: 'Say what to do with an answered call',
  description,
  consumes: 'form',
  body: CallForm,
  example: { params: example, body: given },
  handler: (asked) => answer(asked, asked.body),
});

const byQuery = defineRoute({
  operationId: 'fetchOutboundCallHandler',
  method: 'GET',
  ...common,
  summary: 'Say what to do with an answered call, asked by GET',
  description,
  query: CallForm,
  example: { params: example, query: given },
  handler: (asked) => answer(asked, asked.query),
});

export const outboundCallHandlerRoutes = [byForm, byQuery];
