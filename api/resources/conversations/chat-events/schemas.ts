import Type from 'typebox';
import { Id, Nullable, OneOf, Uuid } from '../../../http/schemas.js';
import type { ServerEvent } from '../../../http/streams/event-stream.js';
import { TimelineEntryResponse } from '../../assignments/assignment-timeline/schemas.js';
import { CallStateResponse } from '../../calls/phone-calls/schemas.js';
import { ChatResponse } from '../chats/schemas.js';
import { OpenAIMessageResponse } from '../messages/schemas.js';

/** Identifies a reply of the agent: its turn, and the round of the turn in which the model wrote it. */
const reply = { turn: Uuid, round: Type.Integer({ minimum: 1 }) };

const ChatSnapshotEvent = Type.Object(
  { chat: ChatResponse },
  { $id: 'ChatSnapshotEvent', description: 'The chat when the stream starts; all later changes follow' },
);

const ChatUpdatedEvent = Type.Object(
  { chat: ChatResponse },
  {
    $id: 'ChatUpdatedEvent',
    description: 'The chat has changed. Counts and times derived from its messages do not cause this event.',
  },
);

const MessageCreatedEvent = Type.Object(
  {
    message: OpenAIMessageResponse,
    reply: Type.Optional(
      Type.Object(reply, { description: 'The draft that this message replaces, if the client received one' }),
    ),
  },
  { $id: 'MessageCreatedEvent', description: 'A new message, in its latest state' },
);

const MessageUpdatedEvent = Type.Object(
  { message: OpenAIMessageResponse },
  { $id: 'MessageUpdatedEvent', description: 'A message has changed, for example its delivery status' },
);

const TimelineAddedEvent = Type.Object(
  {
    assignmentId: { ...Id, description: 'The assignment of the chat' },
    entries: Type.Array(TimelineEntryResponse, { description: 'In order; none of the kind message' }),
  },
  {
    $id: 'TimelineAddedEvent',
    description:
      'Entries were added to the timeline of the assignment (readAssignmentTimeline). Messages come as message.created.',
  },
);

const CallUpdatedEvent = Type.Object(
  { call: CallStateResponse },
  {
    $id: 'CallUpdatedEvent',
    description:
      'A call of the chat has begun, or its status, outcome or duration has changed. What is said in it comes as message.created.',
  },
);

const CallSpeakingEvent = Type.Object(
  {
    phoneCallId: { ...Id, description: 'The phone call in which somebody speaks' },
    speaker: OneOf(['member', 'agent'], { description: 'Who begins or stops to speak in it' }),
    active: Type.Boolean({
      description: 'True: begins. It ends with an event that says false, or with the call',
    }),
  },
  { $id: 'CallSpeakingEvent', description: 'Somebody begins or stops to speak in a call of the chat' },
);

const TypingEvent = Type.Object(
  {
    memberId: Nullable(Id),
    role: OneOf(['user', 'assistant'], { description: "The role that the writer's message will have" }),
    isAgent: Type.Boolean(),
    active: Type.Boolean({
      description: 'Expires after ten seconds, unless repeated, revoked or followed by the message',
    }),
  },
  { $id: 'TypingEvent', description: 'A participant is writing' },
);

const ReplyDeltaEvent = Type.Object(
  {
    ...reply,
    index: Type.Integer({
      minimum: 0,
      description: 'The number of the piece; 0 starts the draft, or starts it again',
    }),
    text: Type.String(),
  },
  {
    $id: 'ReplyDeltaEvent',
    description: 'A piece of the reply that the agent is writing; not yet a message',
  },
);

const ReplyDroppedEvent = Type.Object(reply, {
  $id: 'ReplyDroppedEvent',
  description: 'The draft will not become a message, because something newer arrived',
});

export const chatEvents = {
  'chat.snapshot': ChatSnapshotEvent,
  'chat.updated': ChatUpdatedEvent,
  'message.created': MessageCreatedEvent,
  'message.updated': MessageUpdatedEvent,
  'timeline.added': TimelineAddedEvent,
  'call.updated': CallUpdatedEvent,
  typing: TypingEvent,
  'call.speaking': CallSpeakingEvent,
  'reply.delta': ReplyDeltaEvent,
  'reply.dropped': ReplyDroppedEvent,
} as const;

export type ChatEvent = ServerEvent<typeof chatEvents>;
