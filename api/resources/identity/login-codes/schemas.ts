import Type from 'typebox';
import { Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const RequestLoginCodeRequest = Type.Object(
  {
    email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
    phone: Type.Optional(
      Type.String({ minLength: 3, maxLength: 40, description: 'With its country code, for example +1 …' }),
    ),
  },
  { $id: 'RequestLoginCodeRequest', description: 'Exactly one of the two.' },
);

export const LoginCodeResponse = Picked({ uuid: Uuid, expiresAt: Timestamp }, { $id: 'LoginCodeResponse' });
