import Type, { type Static } from 'typebox';
import { AnyOf, Id, Nullable, OneOf, Page, PageQuery, Timestamp, Uuid } from '../../../http/schemas.js';

const statuses = ['pending', 'fired', 'cancelled'] as const;

export const FollowUpResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    status: OneOf(statuses, {
      description: 'pending until the agent is reminded of it (fired), or until it is cancelled',
    }),
    dueAt: Timestamp,
    instructions: Nullable(
      Type.String({
        description: 'What the agent is to do then. Null for the member of the chat without chats:read',
      }),
    ),
    scheduledByMemberId: Nullable(
      Type.Integer({
        minimum: 1,
        description:
          'The assistant, or the colleague who wrote as the assistant. Null if the agent has no member, and for follow-ups of earlier releases',
      }),
    ),
    createdAt: Timestamp,
    firedAt: Nullable(Timestamp),
    cancelledAt: Nullable(Timestamp),
    cancelledByMemberId: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Null if the service cancelled it, as when an assignment ends',
      }),
    ),
  },
  { $id: 'FollowUpResponse' },
);
export type FollowUpResponse = Static<typeof FollowUpResponse>;

export const FollowUpPage = Page(FollowUpResponse);

export const ListFollowUpsQuery = PageQuery(['dueAt', 'createdAt'], {
  status: Type.Optional(AnyOf(OneOf(statuses))),
});
