import { hangUpCall } from '../../../../domain/conversations/phone-calls/hang-up-call.js';
import {
  getCall,
  listCallMarks,
  listCalls,
  listCallsOfChat,
} from '../../../../domain/conversations/phone-calls/read-calls.js';
import {
  listTransferTargets,
  transferCall,
} from '../../../../domain/conversations/phone-calls/transfer-by-colleague.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { CallMarks, TransferCallRequest, TransferTargets } from './live-schemas.js';
import { presentCall } from './presenter.js';
import { ListPhoneCallsQuery, PhoneCallPage, PhoneCallResponse, PhoneCallsOfChat } from './schemas.js';

const readers = workspaceMember({ scope: 'chats:read' });
const admins = workspaceMember({ scope: 'chats:admin', permission: 'chats:admin' });

const ofChat = defineRoute({
  operationId: 'listPhoneCallsOfChat',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/phone-calls',
  tag: 'Phone calls',
  summary: 'List the phone calls of a chat',
  description:
    "The newest first. For the caller's own chats, or any with the permission chats:read. The member is only shown to itself and with the permission members:read.",
  access: readers,
  example: { params: { chat_id: demo.chatWithoutWorkflow } },
  response: { status: 200, schema: PhoneCallsOfChat },
  handler: async ({ context, params }) =>
    (await listCallsOfChat(context, params.chat_id)).map((call) => presentCall(call, context.actor)),
});

const phoneCalls = resource({
  tag: 'Phone calls',
  path: '/w/{workspace_uuid}/phone-calls',
  read: readers,
  write: admins,
});

const list = phoneCalls.list({
  operationId: 'listPhoneCalls',
  summary: 'List phone calls',
  description:
    "Without the permission chats:read, the list contains only the calls of the caller's own chats. Incoming calls that were refused have no chat.",
  query: ListPhoneCallsQuery,
  response: PhoneCallPage,
  handler: async ({ context, query }) =>
    presentPage(query, await listCalls(context, query), (call) => presentCall(call, context.actor)),
});

const get = phoneCalls.get('/{phone_call_id}', {
  operationId: 'getPhoneCall',
  summary: 'Get a phone call',
  description: "For the calls of the caller's own chats, or any with the permission chats:read.",
  response: PhoneCallResponse,
  handler: async ({ context, params }) =>
    presentCall(await getCall(context, params.phone_call_id), context.actor),
});

const hangUp = phoneCalls.act('/{phone_call_id}/hang-up', {
  operationId: 'hangUpPhoneCall',
  summary: 'Hang up a phone call',
  description:
    'A call that is not dialled is canceled, one that rings or was transferred is ended at the carrier, and in one that is up the agent says goodbye; after half a minute the carrier ends it in any case. `hungUpAt` says that it is asked for, `finishedAt` that it is done. A call that has ended stays as it is. The agent may call again, unless the chat is paused.',
  response: PhoneCallResponse,
  handler: async ({ context, params }) =>
    presentCall(await hangUpCall(context, params.phone_call_id), context.actor),
});

const targets = phoneCalls.get('/{phone_call_id}/transfer-targets', {
  operationId: 'listTransferTargets',
  summary: 'List to whom a phone call can be transferred',
  description:
    'The persons to whom the agent may transfer it at present (the ability forward_call). Nobody, unless the call is up.',
  access: admins,
  response: TransferTargets,
  handler: async ({ context, params }) => ({
    items: await listTransferTargets(context, params.phone_call_id),
  }),
});

const transfer = phoneCalls.act('/{phone_call_id}/transfer', {
  operationId: 'transferPhoneCall',
  summary: 'Transfer a phone call to a person',
  description:
    'To one of listTransferTargets, as the agent does: it tells the caller, within some seconds, and the carrier then dials. If nobody takes it, the call comes back to the agent. A call that has ended stays as it is. The safety gate is asked now and before the number is dialled; a refusal is a 400 with the reason as its code (docs/voice.md).',
  body: TransferCallRequest,
  idempotent: true,
  example: { body: { target: 'front_desk', facts: 'Asks for an earlier appointment.' } },
  response: PhoneCallResponse,
  errors: { 409: 'The call was not answered yet, or is being transferred or ended (`call_not_up`).' },
  handler: async ({ context, params, body }) =>
    presentCall(await transferCall(context, params.phone_call_id, body), context.actor),
});

const marks = phoneCalls.get('/{phone_call_id}/marks', {
  operationId: 'listPhoneCallMarks',
  summary: 'List what happened in a phone call beside what was said',
  description:
    "Where the agent was interrupted, transfers, and whether the other side agreed to be recorded, with their places in the recording. For the calls of the caller's own chats, or any with the permission chats:read.",
  response: CallMarks,
  handler: async ({ context, params }) => listCallMarks(context, params.phone_call_id),
});

export const phoneCallRoutes = [ofChat, list, get, hangUp, targets, transfer, marks];
