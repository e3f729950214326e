import Type from 'typebox';
import { Id, Nullable, Picked, Time, Timestamp, Uuid } from '../../../http/schemas.js';

export const SessionResponse = Picked(
  {
    uuid: Uuid,
    current: Type.Boolean({ description: 'Whether the request was made with this session' }),
    workspaceId: Nullable(Id),
    memberId: Type.Union([Id, Type.Null()], {
      description: "Set for a member's session, which is valid in that workspace only",
    }),
    userAgent: Type.Union([Type.String(), Type.Null()], { description: 'For example Firefox on Linux' }),
    createdAt: Timestamp,
    lastUsedAt: Time({
      ...Timestamp,
      description: 'When the session was last used, accurate to the hour',
    }),
    expiresAt: Time({
      ...Timestamp,
      description: 'When the session ends; extended while it is used',
    }),
  },
  { $id: 'SessionResponse' },
);

const ByCode = Type.Object({
  loginCodeUuid: Uuid,
  code: Type.String({ pattern: '^[0-9]{6}$', maxLength: 6 }),
});

const ByMemberToken = Type.Object({ memberToken: Type.String({ minLength: 1, maxLength: 100 }) });

export const BeginSessionRequest = Type.Union([ByCode, ByMemberToken], { $id: 'BeginSessionRequest' });
