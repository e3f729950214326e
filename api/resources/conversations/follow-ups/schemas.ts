import Type from 'typebox';
import {
  AnyOf,
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Picked,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';

const statuses = ['pending', 'fired', 'cancelled'] as const;

export const FollowUpResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    chatId: { ...Id, description: 'The chat in which the agent gets it' },
    status: OneOf(statuses, {
      description: 'pending until the agent gets it (fired), or until it is cancelled',
    }),
    dueAt: Timestamp,
    instructions: Nullable(
      Type.String({
        description:
          "The agent's instructions for that time. Null for the member of the chat without the permission chats:read",
      }),
    ),
    scheduledByMemberId: Nullable(
      Type.Integer({
        minimum: 1,
        description:
          'The assistant, or the colleague who wrote as the assistant. Null if the agent has no member, and for follow-ups from earlier releases',
      }),
    ),
    createdAt: Timestamp,
    firedAt: Nullable(Timestamp),
    cancelledAt: Nullable(Timestamp),
    cancelledByMemberId: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Null if the service cancelled it, for example because an assignment ended',
      }),
    ),
  },
  { $id: 'FollowUpResponse' },
);

export const FollowUpPage = Page(FollowUpResponse);

export const ListFollowUpsQuery = PageQuery(['dueAt', 'createdAt'], {
  status: Type.Optional(AnyOf(OneOf(statuses))),
});
