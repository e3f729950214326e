import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { reachesPeople, reads } from './annotations.js';

const list = defineTool({
  name: 'list_phone_calls',
  title: 'List phone calls',
  description:
    'Lists phone calls, the newest first, by chat (chatId), member (memberId), number, direction, status or time of creation. Returns a page with how each call went and ended. What was said in a call is in list_chat_messages of its chat.',
  route: routeOf('listPhoneCalls'),
  annotations: reads,
  untrusted: true,
});

const get = defineTool({
  name: 'get_phone_call',
  title: 'Get a phone call',
  description:
    'Returns one phone call: status, when it was answered and ended, how long it lasted and why it ended (terminationReason, blockedReason). Use it to follow a call that place_outbound_call has placed: read it again until finishedAt is there, not more than every few seconds.',
  route: routeOf('getPhoneCall'),
  annotations: reads,
  untrusted: true,
});

const place = defineTool({
  name: 'place_outbound_call',
  title: 'Call the member of a chat',
  description:
    'Has the agent call the member of a chat from one of the phone numbers of the workspace. The phone of a person rings: ask the person you work for before. Returns the call while it is pending; a call that the safety rules forbid ends with the terminationReason blocked_outbound_safety and a blockedReason. Do not place it again on your own. Next: get_phone_call.',
  route: routeOf('placeOutboundCall'),
  dropped: ['member', 'agent'],
  copied: { chatId: 'chat_id' },
  annotations: reachesPeople,
  untrusted: true,
  task: 'call',
});

export const phoneCallTools = [list, get, place];
