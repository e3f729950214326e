import Type from 'typebox';
import { OneOf, Time } from '../../../http/schemas.js';

export const ChatInterruptResponse = Type.Object(
  {
    kind: OneOf(['tool_call', 'handoff'], {
      description:
        'tool_call: a tool call of the agent waits for approval; handoff: the chat was handed over and waits because of that; no colleague has taken or answered it',
    }),
    id: Type.String({ description: 'Names the interrupt in the decision about it' }),
    since: Time({ description: 'When the chat began to wait for this' }),
    expiresAt: Type.Optional(
      Time({
        description: 'Of a tool call: after that it is not run any more, and a colleague is alerted',
      }),
    ),
    toolCall: Type.Optional(
      Type.Object(
        {
          id: Type.String({ description: '`id` in `tool_calls` of a message' }),
          name: Type.String({ description: 'The name of the tool' }),
          arguments: Type.String({ description: 'JSON, as the model has written it' }),
        },
        { description: 'For callers with the permission chats:admin' },
      ),
    ),
  },
  { $id: 'ChatInterruptResponse', description: 'What the chat waits for a person to decide' },
);

export const DecideInterruptRequest = Type.Object(
  {
    interruptId: Type.String({
      minLength: 1,
      maxLength: 64,
      description: '`id` of the interrupt that the caller has seen: the decision is about no other',
    }),
    decision: OneOf(['approve', 'reject'], {
      description:
        'approve: run the tool call, or take the chat that was handed over; reject: do not run it, or return the chat to the agent',
    }),
    comment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'For the agent, when it is rejected',
      }),
    ),
  },
  { $id: 'DecideInterruptRequest' },
);
