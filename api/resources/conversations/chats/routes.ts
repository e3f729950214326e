import Type, { type Static } from 'typebox';
import { readDailyAnswers } from '../../../../domain/conversations/chats/answer-statistics.js';
import { awaitInitialMessage } from '../../../../domain/conversations/chats/await-initial-message.js';
import {
  countDailyChats,
  listToolCallNames,
} from '../../../../domain/conversations/chats/chat-statistics.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { getChat, prefetchChat } from '../../../../domain/conversations/chats/get-chat.js';
import { listLastMessages } from '../../../../domain/conversations/chats/last-messages.js';
import { listChats } from '../../../../domain/conversations/chats/list-chats.js';
import { lockChatForChange } from '../../../../domain/conversations/chats/lock-chat-for-change.js';
import { openDirectChat } from '../../../../domain/conversations/chats/open-direct-chat.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Id } from '../../../http/schemas.js';
import { DailyAnswersResponse, DailyChatsQuery, DailyChatsResponse } from './daily-schemas.js';
import { exportRoutes } from './export-routes.js';
import { initialMessageErrorOf, presentChat } from './presenter.js';
import { queueRoutes } from './queue-routes.js';
import {
  ChatPage,
  ChatResponse,
  CreateChatRequest,
  DirectChatRequest,
  LastMessagesResponse,
  ListChatsQuery,
  UpdateChatRequest,
} from './schemas.js';

/** What the domain takes of a request: a participant that is only an id has no role. */
function withRoles({ participants, ...input }: Static<typeof CreateChatRequest>) {
  if (participants === undefined) return input;
  return {
    ...input,
    participants: participants.map((one) => (typeof one === 'number' ? { memberId: one } : one)),
  };
}

const chats = resource({
  tag: 'Chats',
  path: '/w/{workspace_uuid}/chats',
  read: workspaceMember({ scope: 'chats:read' }),
  write: workspaceMember({ scope: 'chats:write' }),
});

const list = chats.list({
  operationId: 'listChats',
  summary: 'List chats',
  description:
    "Without the permission chats:read, the list contains only the caller's own chats: those in which the caller is the member, which the caller created, or in which the caller participates.",
  query: ListChatsQuery,
  response: ChatPage,
  handler: async ({ context, query }) => presentPage(query, await listChats(context, query), presentChat),
});

const create = chats.create({
  operationId: 'createChat',
  audit: ['participant:added'],
  summary: 'Create a chat',
  description:
    "With a workflowId, creates its assignment as well. With the channel phone-voice, a workflow and an assistant, the member is then called from the phone number: `GET …/phone-calls` has the call. If the initial message cannot be sent, the chat is created anyway, and initialMessageError has the reason. The answer waits up to two seconds for the carrier or mail server to take or refuse the message; what is known later is in that field when the chat is read. A chat with another member needs the permission chats:write; without it, a member begins at most 100 chats and assignments within 24 hours (429 `too_many_chats`). A new SMS chat receives the member's replies on its phone number; an older chat there with an active assignment alerts a colleague.",
  body: CreateChatRequest,
  example: { body: { channel: 'web-chat', workflowId: demo.workflowId, memberId: demo.memberId } },
  response: ChatResponse,
  errors: {
    409: 'The member has as many active assignments as it may begin for itself without the permission chats:write (`too_many_assignments`), or is on the phone in another chat (`call_in_progress`).',
  },
  handler: async ({ context, services, body }) =>
    presentChat(await createChat(context, withRoles(body), { voice: services.calls.isAvailable })),
  afterCommit: async ({ context, services, body }, chat) => {
    if (body.initialMessage === undefined || chat.initialMessageError !== undefined) return;
    const initialMessageError = await awaitInitialMessage(context, services.live, chat.id);
    chat.initialMessageError = initialMessageErrorOf({ initialMessageError });
  },
});

const get = chats.get('/{chat_id}', {
  operationId: 'getChat',
  summary: 'Get a chat',
  description: "For the caller's own chats, or any with the permission chats:read.",
  response: ChatResponse,
  etag: true,
  prefetch: (tx, { params }) => prefetchChat(tx, params.chat_id),
  handler: async ({ context, params, prefetched }) =>
    presentChat(await getChat(context, params.chat_id, prefetched)),
});

const update = chats.update('/{chat_id}', {
  operationId: 'updateChat',
  summary: 'Change a chat',
  description: `For the caller's own chats, or any with the permission chats:write. Changing muted or labelIds always needs
that permission.

| Change | The agent | The assignment | needsResponse |
|---|---|---|---|
| pause | is silent; an unfinished reply is dropped | continues with its timers and messages | set if the member waits for an answer |
| resume | answers new messages, once | a handoff ends | cleared |
| archive | is silent; an unfinished reply is dropped | rests: no timer fires, nothing is sent | unchanged |
| unarchive | answers new messages, once | continues; overdue steps run now | cleared if the agent answers |
| a message of the member | answers it; an archived chat is reopened | continues | set if no agent answers |
| mute, unmute, label | continues | continues | unchanged |

Messages written before a change are delivered. Setting a field to its present value changes nothing. The caller who paused
the chat may resume it; if another person, a takeover or a handoff paused it, resuming needs the permission chats:write. The
chat of a deleted member is paused with the reason \`member_deleted\` and cannot be resumed.`,
  body: UpdateChatRequest,
  example: { body: { title: 'Visit on Tuesday', labelIds: [demo.chatLabelId] } },
  response: ChatResponse,
  ifMatch: { current: get, lock: ({ context, params }) => lockChatForChange(context, params.chat_id) },
  errors: { 409: 'The member of the chat was deleted (`member_deleted`).' },
  handler: async ({ context, params, body }) => presentChat(await updateChat(context, params.chat_id, body)),
});

const direct = defineRoute({
  operationId: 'openDirectChat',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/dm',
  tag: 'Chats',
  summary: 'Find or create a direct chat',
  description:
    'The single web chat between the caller and another member. Any member may have one with an agent; one with a person needs the permission dm:write.',
  access: workspaceMember({}),
  body: DirectChatRequest,
  example: { body: { memberId: demo.assistantMemberId } },
  response: { status: 201, schema: ChatResponse, description: 'The existing or new chat.' },
  handler: async ({ context, body }) => presentChat(await openDirectChat(context, body)),
});

const daily = chats.get('/stats/daily-creation', {
  operationId: 'countDailyChats',
  summary: 'Count the chats created per day',
  description:
    "For each channel and day, from the first to the last day, both inclusive: by default the 30 days up to today, at most 366. A day has 23 or 25 hours where the clocks change. Without the permission chats:read, only the caller's own chats are counted.",
  query: DailyChatsQuery,
  response: DailyChatsResponse,
  handler: async ({ context, query: { from, to, timezone, ...filter } }) =>
    countDailyChats(context, filter, { from, to, timezone }),
});

const dailyAnswers = chats.get('/stats/daily-answers', {
  operationId: 'getDailyAnswers',
  summary: 'Get how long members waited for answers per day, and who answered',
  description:
    'A wait begins with the first message that a member writes after an answer, and belongs to the day on which it begins; it ends with the next message of the agent or of a colleague. Counted is what is written: no calls, no texts of tasks, no keywords as STOP. By default the 30 days up to today, at most 92.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  admission: 'searches',
  query: DailyChatsQuery,
  response: DailyAnswersResponse,
  handler: async ({ context, query: { from, to, timezone, ...filter } }) =>
    readDailyAnswers(context, filter, { from, to, timezone }),
});

const toolCallNames = chats.get('/tool-call-names', {
  operationId: 'listToolCallNames',
  summary: 'List the names of the tools called in chats',
  description:
    "Sorted, without duplicates. Without the permission chats:read, only the tools called in the caller's own chats.",
  response: Type.Array(Type.String()),
  handler: async ({ context }) => listToolCallNames(context),
});

const lastMessages = chats.get('/last-messages', {
  operationId: 'listLastMessages',
  summary: 'List when members last wrote',
  description: 'In whatever chat of theirs. Members who never did are left out.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  query: Type.Object({
    memberId: Type.Array(Id, { minItems: 1, maxItems: 100, description: 'Members; may be repeated' }),
  }),
  example: { query: { memberId: [demo.memberId] } },
  response: LastMessagesResponse,
  handler: async ({ context, query }) => ({ items: await listLastMessages(context, query.memberId) }),
});

export const chatRoutes = [
  list,
  create,
  get,
  update,
  direct,
  daily,
  dailyAnswers,
  toolCallNames,
  lastMessages,
  ...exportRoutes,
  ...queueRoutes,
];
