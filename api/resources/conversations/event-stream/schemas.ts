import Type from 'typebox';
import { Id, Picked } from '../../../http/schemas.js';
import type { ServerEvent } from '../../../http/streams/event-stream.js';
import { CallStateResponse } from '../../calls/phone-calls/schemas.js';

const WorkspaceSnapshotEvent = Type.Object(
  {},
  {
    $id: 'WorkspaceSnapshotEvent',
    description:
      'All later changes follow; list what is shown. It comes first, and instead of what has changed where that is too much, or not known.',
  },
);

const ChatChangedEvent = Picked(
  {
    chatId: { ...Id, description: 'The chat to read anew, where it is shown (getChat)' },
    assignmentId: Type.Optional({ ...Id, description: 'The assignment of the chat, if it has one' }),
    needsResponse: Type.Boolean({ description: 'Whether the chat waits for a person' }),
  },
  {
    $id: 'ChatChangedEvent',
    description:
      'A chat is new, or something in it has changed: the chat, its messages, the timeline of its assignment, its calls',
  },
);

const CallChangedEvent = Type.Object(
  {
    phoneCallId: { ...Id, description: 'The call to read anew, where it is shown (getPhoneCall)' },
    chatId: { ...Id, description: 'The chat of the call, of which chat.changed tells as well' },
    status: CallStateResponse.properties.status,
  },
  { $id: 'CallChangedEvent', description: 'A phone call has begun, or its state has changed' },
);

const QueueChangedEvent = Type.Object(
  {},
  {
    $id: 'QueueChangedEvent',
    description:
      'Chats have begun or ceased to wait for a person, or were claimed, given back, put off, archived or muted while they waited. It is told with the permission chats:read; without it, chat.changed says which of the own chats wait',
  },
);

export const workspaceEvents = {
  'workspace.snapshot': WorkspaceSnapshotEvent,
  'chat.changed': ChatChangedEvent,
  'call.changed': CallChangedEvent,
  'queue.changed': QueueChangedEvent,
} as const;

export type WorkspaceEvent = ServerEvent<typeof workspaceEvents>;
