import Type from 'typebox';
import { Id, Nullable, OneOf, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const EraseMemberRequest = Type.Object(
  {
    confirm: Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'The id, externalId, email or phone of the member, as a guard against erasing another one',
    }),
  },
  { $id: 'EraseMemberRequest' },
);

const Kept = Type.Object(
  {
    store: Type.String({ description: 'The table that it is in' }),
    what: Type.String({ description: 'What it still tells' }),
  },
  { $id: 'KeptByErasure' },
);

export const ErasureResponse = Picked(
  {
    uuid: Uuid,
    memberId: Type.Integer({ ...Id, description: 'The erased member, whose id stays' }),
    requestedByMemberId: Type.Integer({ ...Id, description: 'The member that asked for the erasure' }),
    state: OneOf(['erasing', 'erased', 'finished'], {
      description:
        'erased: nothing is left; late writes are looked for once more, a day later. finished: that look found nothing',
    }),
    erased: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'The numbers of erased rows, by table',
    }),
    kept: Type.Array(Kept, { description: 'What stays, under the id of the member only' }),
    createdAt: Timestamp,
    erasedAt: Nullable({ ...Timestamp, description: 'When nothing was left' }),
    lookAgainAt: Nullable({ ...Timestamp, description: 'When late writes are looked for' }),
    finishedAt: Nullable({ ...Timestamp, description: 'When that look found nothing' }),
  },
  { $id: 'ErasureResponse' },
);
