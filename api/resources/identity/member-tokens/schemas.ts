import Type from 'typebox';
import { Id, Timestamp } from '../../../http/schemas.js';

export const MemberTokenResponse = Type.Object(
  {
    token: Type.String({ description: '`wmt_…`, shown only this once.' }),
    expiresAt: Timestamp,
  },
  { $id: 'MemberTokenResponse' },
);

export const UsableMemberToken = Type.Object(
  { id: Id, createdAt: Timestamp, expiresAt: Timestamp },
  { $id: 'UsableMemberToken' },
);
