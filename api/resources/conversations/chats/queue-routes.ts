import {
  claimChat,
  releaseChat,
  snoozeChat,
  wakeChat,
} from '../../../../domain/conversations/chats/claim-chat.js';
import { countQueue } from '../../../../domain/conversations/chats/count-waiting-chats.js';
import { listWaitingChats } from '../../../../domain/conversations/chats/list-waiting-chats.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { presentWaitingChat } from './presenter.js';
import { presentQueueCounts } from './queue-counts.js';
import {
  ClaimChatRequest,
  QueueCountsQuery,
  QueueCountsResponse,
  SnoozeChatRequest,
  WaitingChatPage,
  WaitingChatResponse,
  WaitingChatsQuery,
} from './queue-schemas.js';

const tag = 'Chats';
const colleagues = workspaceMember({ scope: 'chats:write', permission: 'chats:write' });
const conflicts =
  'The chat does not wait for a person (`not_waiting`), or another colleague has claimed it (`claimed_by_another`).';

const list = defineRoute({
  operationId: 'listChatsThatNeedResponse',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/needs-response',
  tag,
  summary: 'List chats that need a response by a person',
  description:
    "The chat that has waited longest comes first by default. Archived and muted chats are left out, and, unless state says otherwise, those that a colleague has claimed or snoozed. Without the permission chats:read, the list contains only the caller's own chats, and nothing about claims and snoozes.",
  access: workspaceMember({ scope: 'chats:read' }),
  query: WaitingChatsQuery,
  response: { status: 200, schema: WaitingChatPage },
  handler: async ({ context, query }) => {
    return presentPage(query, await listWaitingChats(context, query), presentWaitingChat);
  },
});

const counts = defineRoute({
  operationId: 'countChatsThatNeedResponse',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/needs-response/counts',
  tag,
  summary: 'Count the chats that need a response by a person',
  description:
    'All at once: by reason, with the reason in words, by channel, and by how long they have waited.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  query: QueueCountsQuery,
  response: { status: 200, schema: QueueCountsResponse },
  handler: async ({ context, query }) => presentQueueCounts(await countQueue(context, query)),
});

const claim = defineRoute({
  operationId: 'claimChat',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/claim',
  tag,
  summary: 'Claim a chat',
  description:
    'The chat, which needs a response, is in the queue of the caller alone, until it is answered or the claim ends. Claiming again prolongs it, and a snooze ends. A claim says who answers; other colleagues may still write. A chat in which the agent still speaks can be claimed too: the agent is paused, and the chat needs a response (`taken_over`) until the colleague writes, or gives it back by `PUT …/chats/{chat_id}` with `paused: false`. Needs the permission chats:read as well.',
  access: colleagues,
  body: ClaimChatRequest,
  example: { params: { chat_id: demo.chatThatWaits }, body: { minutes: 15 } },
  response: { status: 200, schema: WaitingChatResponse },
  errors: { 409: conflicts },
  handler: async ({ context, params, body }) =>
    presentWaitingChat(await claimChat(context, params.chat_id, body)),
});

const release = defineRoute({
  operationId: 'releaseChat',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/chats/{chat_id}/claim',
  tag,
  summary: 'Release a claimed chat',
  description:
    'The chat is open to all colleagues again. Ending the claim of another needs the permission chats:admin. Without a claim, nothing changes. Needs the permission chats:read as well.',
  access: colleagues,
  example: { params: { chat_id: demo.chatThatWaits } },
  response: { status: 204 },
  errors: { 409: 'Another colleague has claimed the chat (`claimed_by_another`).' },
  handler: async ({ context, params }) => releaseChat(context, params.chat_id),
});

const snooze = defineRoute({
  operationId: 'snoozeChat',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/snooze',
  tag,
  summary: 'Snooze a chat that needs a response',
  description:
    'The chat is put off until a time, or until the member writes or something new alerts a colleague, which ends every snooze. It keeps the time since which it waits. A claim of the caller ends. Needs the permission chats:read as well.',
  access: colleagues,
  body: SnoozeChatRequest,
  example: { params: { chat_id: demo.chatThatWaits }, body: { until: null } },
  response: { status: 200, schema: WaitingChatResponse },
  errors: { 409: `${conflicts} Or it has a newer message than the one named (\`newer_message\`).` },
  handler: async ({ context, params, body }) =>
    presentWaitingChat(await snoozeChat(context, params.chat_id, body)),
});

const wake = defineRoute({
  operationId: 'wakeChat',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/chats/{chat_id}/snooze',
  tag,
  summary: 'End the snooze of a chat',
  description: 'Without a snooze, nothing changes. Needs the permission chats:read as well.',
  access: colleagues,
  example: { params: { chat_id: demo.chatThatWaits } },
  response: { status: 204 },
  handler: async ({ context, params }) => wakeChat(context, params.chat_id),
});

export const queueRoutes = [list, counts, claim, release, snooze, wake];
