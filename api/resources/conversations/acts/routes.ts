import Type, { type Static } from 'typebox';
import { type ChatAct, chatActKinds } from '../../../../db/conversations/chat-acts.js';
import { listChatActs } from '../../../../domain/conversations/chats/list-chat-acts.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { beforeQuery, Id, Nullable, nextBefore, OneOf, Picked, Timestamp } from '../../../http/schemas.js';

const Act = Picked(
  {
    kind: OneOf(chatActKinds, {
      description:
        'What was done: message (something was written to the member), note (to the agent or colleagues), claimed, released (before an answer), snoozed, paused, resumed, archived, unarchived, muted, unmuted, agent_enabled, agent_disabled, labelled, unlabelled, moved (to a folder)',
    }),
    at: { ...Timestamp, description: 'When it was done' },
    memberId: Nullable(Type.Integer({ ...Id, description: 'Who did it; null: the agent or the service' })),
    memberName: Nullable(Type.String({ description: 'The name of that member' })),
    reason: Type.Optional(
      OneOf(['operator', 'operator_reply', 'handoff', 'member_deleted', 'other'], {
        description: 'Why the chat was paused; other: a reason of its own was given',
      }),
    ),
    until: Type.Optional({ ...Timestamp, description: 'When a claim or a snooze ends by itself' }),
    labelId: Type.Optional(
      Type.Integer({ ...Id, description: 'The label that was put on the chat or taken off' }),
    ),
    folderId: Type.Optional(
      Nullable(Type.Integer({ ...Id, description: 'The folder; null: none any more' })),
    ),
    messageId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Id of what was written, as in the list of messages' }),
    ),
  },
  { $id: 'ChatActResponse' },
);

const ChatActPage = Type.Object(
  {
    items: Type.Array(Act, { maxItems: 100 }),
    next: nextBefore,
  },
  { $id: 'ChatActPage' },
);

const list = defineRoute({
  operationId: 'listChatActs',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/acts',
  tag: 'Chats',
  summary: 'List who did what in a chat',
  description:
    'What colleagues wrote in it and did with it, the newest first: claims, snoozes, pauses, archiving, muting, labels, folders, and whether its agent is enabled. Pauses by the agent or the service have no member. Of what was done under earlier releases, only what was written is known.',
  access: workspaceMember({ scope: 'chats:read', permission: 'chats:read' }),
  query: Type.Object(beforeQuery),
  response: { status: 200, schema: ChatActPage },
  handler: async ({ context, params, query }) => {
    const { items, ...rest } = await listChatActs(context, params.chat_id, query);
    return { items: items.map(present), ...rest };
  },
});

type Reason = Static<typeof Act>['reason'];

function present({ subjectId, messageUuid: messageId, ...act }: ChatAct) {
  const about = act.kind === 'moved' ? { folderId: subjectId } : { labelId: subjectId };
  return { ...act, reason: act.reason as Reason | null, messageId, ...about };
}

export const chatActRoutes = [list];
