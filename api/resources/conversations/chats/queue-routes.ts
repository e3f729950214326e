import {
  claimChat,
  releaseChat,
  snoozeChat,
  wakeChat,
} from '../../../../domain/conversations/chats/claim-chat.js';
import { countQueue } from '../../../../domain/conversations/chats/count-waiting-chats.js';
import { listWaitingChats } from '../../../../domain/conversations/chats/list-waiting-chats.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
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

const colleagues = workspaceMember({ scope: 'chats:write', permission: 'chats:write' });
const conflicts =
  'The chat does not wait for a person (`not_waiting`), or another colleague has claimed it (`claimed_by_another`).';

const chats = resource({
  tag: 'Chats',
  path: '/w/{workspace_uuid}/chats',
  read: workspaceMember({ scope: 'chats:read' }),
  write: colleagues,
});

const list = chats.get('/needs-response', {
  operationId: 'listChatsThatNeedResponse',
  summary: 'List chats that need a response by a person',
  description:
    "The chat that has waited longest comes first by default. Archived and muted chats are left out, and, unless state says otherwise, those that a colleague has claimed or snoozed. Without the permission chats:read, the list contains only the caller's own chats, and nothing about claims and snoozes.",
  query: WaitingChatsQuery,
  response: WaitingChatPage,
  handler: async ({ context, query }) => {
    return presentPage(query, await listWaitingChats(context, query), presentWaitingChat);
  },
});

const counts = chats.get('/needs-response/counts', {
  operationId: 'countChatsThatNeedResponse',
  summary: 'Count the chats that need a response by a person',
  description:
    'All at once: by reason, with the reason in words, by channel, and by how long they have waited.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  query: QueueCountsQuery,
  response: QueueCountsResponse,
  handler: async ({ context, query }) => presentQueueCounts(await countQueue(context, query)),
});

const claim = chats.act('/{chat_id}/claim', {
  operationId: 'claimChat',
  summary: 'Claim a chat',
  description:
    'The chat, which needs a response, is in the queue of the caller alone, until it is answered or the claim ends. Claiming again prolongs it, and a snooze ends. A claim says who answers; other colleagues may still write. A chat in which the agent still speaks can be claimed too: the agent is paused, and the chat needs a response (`taken_over`) until the colleague writes, or gives it back by `PUT …/chats/{chat_id}` with `paused: false`. Needs the permission chats:read as well.',
  body: ClaimChatRequest,
  example: { params: { chat_id: demo.chatThatWaits }, body: { minutes: 15 } },
  response: WaitingChatResponse,
  errors: { 409: conflicts },
  handler: async ({ context, params, body }) =>
    presentWaitingChat(await claimChat(context, params.chat_id, body)),
});

const release = chats.remove('/{chat_id}/claim', {
  operationId: 'releaseChat',
  summary: 'Release a claimed chat',
  description:
    'The chat is open to all colleagues again. Ending the claim of another needs the permission chats:admin. Without a claim, nothing changes. Needs the permission chats:read as well.',
  example: { params: { chat_id: demo.chatThatWaits } },
  errors: { 409: 'Another colleague has claimed the chat (`claimed_by_another`).' },
  handler: async ({ context, params }) => releaseChat(context, params.chat_id),
});

const snooze = chats.act('/{chat_id}/snooze', {
  operationId: 'snoozeChat',
  summary: 'Snooze a chat that needs a response',
  description:
    'The chat is put off until a time, or until the member writes or something new alerts a colleague, which ends every snooze. It keeps the time since which it waits. A claim of the caller ends. Needs the permission chats:read as well.',
  body: SnoozeChatRequest,
  example: { params: { chat_id: demo.chatThatWaits }, body: { until: null } },
  response: WaitingChatResponse,
  errors: { 409: `${conflicts} Or it has a newer message than the one named (\`newer_message\`).` },
  handler: async ({ context, params, body }) =>
    presentWaitingChat(await snoozeChat(context, params.chat_id, body)),
});

const wake = chats.remove('/{chat_id}/snooze', {
  operationId: 'wakeChat',
  summary: 'End the snooze of a chat',
  description: 'Without a snooze, nothing changes. Needs the permission chats:read as well.',
  example: { params: { chat_id: demo.chatThatWaits } },
  handler: async ({ context, params }) => wakeChat(context, params.chat_id),
});

export const queueRoutes = [list, counts, claim, release, snooze, wake];
