import { hangUpCall } from '../../../../domain/conversations/phone-calls/hang-up-call.js';
import {
  getCall,
  listCalls,
  listCallsOfChat,
} from '../../../../domain/conversations/phone-calls/read-calls.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { presentCall } from './presenter.js';
import { ListPhoneCallsQuery, PhoneCallPage, PhoneCallResponse, PhoneCallsOfChat } from './schemas.js';

const readers = workspaceMember({ scope: 'chats:read' });

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
  write: workspaceMember({ scope: 'chats:admin', permission: 'chats:admin' }),
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

export const phoneCallRoutes = [ofChat, list, get, hangUp];
