import Type from 'typebox';
import { Id, Name, Nullable, Timestamp, Uuid } from '../../../http/schemas.js';

export const AccountResponse = Type.Object(
  {
    id: Nullable(Id),
    uuid: Nullable(Uuid),
    loggedIn: Type.Boolean(),
    avatarUrl: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    emailVerifiedAt: Nullable(Timestamp),
    phoneVerifiedAt: Nullable(Timestamp),
    name: Nullable(Type.String()),
    createdAt: Nullable(Timestamp),
    isSuperuser: Type.Boolean(),
    enabled: Type.Boolean(),
    signupWorkspaceId: Nullable(Id),
    tosAccepted: Type.Boolean(),
    optedOut: Type.Boolean(),
    paymentCustomerId: Nullable(Type.String()),
    locale: Type.String(),
    timezone: Type.String(),
  },
  { $id: 'AccountResponse' },
);

export const UpdateAccountRequest = Type.Object(
  {
    name: Type.Optional(Name()),
    tosAccepted: Type.Optional(Type.Boolean()),
    optedOut: Type.Optional(Type.Boolean()),
    locale: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { $id: 'UpdateAccountRequest' },
);

export const ConfirmAddressRequest = Type.Object(
  { code: Type.String({ pattern: '^[0-9]{6}$', maxLength: 6 }) },
  { $id: 'ConfirmAddressRequest' },
);
