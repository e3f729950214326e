import Type from 'typebox';
import { Timestamp } from '../../http/schemas.js';

export const MemberTokenResponse = Type.Object(
  {
    token: Type.String({ description: '`wmt_…`. It is shown this once.' }),
    expiresAt: Timestamp,
  },
  { $id: 'MemberTokenResponse' },
);
