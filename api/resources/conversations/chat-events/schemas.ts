import Type, { type Static } from 'typebox';
import type { ServerEvent } from '../../../http/event-stream.js';
import { Id, Nullable, OneOf, Uuid } from '../../../http/schemas.js';
import { ChatResponse } from '../chats/schemas.js';
import { OpenAIMessageResponse } from '../messages/schemas.js';

/** Which reply of the agent: its turn, and the round of the turn in which the model wrote it. */
const reply = {
  turn: Uuid,
  round: Type.Integer({ minimum: 1 }),
};

export const ChatSnapshotEvent = Type.Object(
  { chat: ChatResponse },
  {
    $id: 'ChatSnapshotEvent',
    description: 'The chat at the beginning of the stream; all that happens later follows',
  },
);

export const ChatUpdatedEvent = Type.Object(
  { chat: ChatResponse },
  {
    $id: 'ChatUpdatedEvent',
    description:
      'The chat has changed. Counts and times that follow from its messages do not make this event.',
  },
);

export const MessageCreatedEvent = Type.Object(
  {
    message: OpenAIMessageResponse,
    reply: Type.Optional(
      Type.Object(reply, { description: 'The draft that this message takes the place of, if one was seen' }),
    ),
  },
  { $id: 'MessageCreatedEvent', description: 'A message, as it is by now' },
);

export const MessageUpdatedEvent = Type.Object(
  { message: OpenAIMessageResponse },
  { $id: 'MessageUpdatedEvent', description: 'A message has changed, such as by news of its delivery' },
);

export const TypingEvent = Type.Object(
  {
    memberId: Nullable(Id),
    role: OneOf(['user', 'assistant'], { description: 'As which a message of theirs would come' }),
    isAgent: Type.Boolean(),
    active: Type.Boolean({
      description: 'Holds for ten seconds, unless it is repeated, denied or followed by the message',
    }),
  },
  { $id: 'TypingEvent', description: 'Somebody is writing' },
);

export const ReplyDeltaEvent = Type.Object(
  {
    ...reply,
    index: Type.Integer({ minimum: 0, description: 'Counts the pieces; 0 begins the draft (anew)' }),
    text: Type.String(),
  },
  { $id: 'ReplyDeltaEvent', description: 'A piece of what the agent is writing, not yet a message' },
);

export const ReplyDroppedEvent = Type.Object(reply, {
  $id: 'ReplyDroppedEvent',
  description: 'The draft will not become a message: something came in between',
});

export const chatEvents = {
  'chat.snapshot': ChatSnapshotEvent,
  'chat.updated': ChatUpdatedEvent,
  'message.created': MessageCreatedEvent,
  'message.updated': MessageUpdatedEvent,
  typing: TypingEvent,
  'reply.delta': ReplyDeltaEvent,
  'reply.dropped': ReplyDroppedEvent,
} as const;

export type ChatEvent = ServerEvent<typeof chatEvents>;
export type ReplyRef = Static<typeof ReplyDroppedEvent>;
