import Type from 'typebox';
import { Uuid } from '../../../http/schemas.js';

export const UpdateAccountStateRequest = Type.Object(
  {
    enabled: Type.Boolean(),
    leaveWithoutAdmin: Type.Optional(
      Type.Boolean({ description: 'Disable the last admin of a workspace as well. Default false' }),
    ),
  },
  { $id: 'UpdateAccountStateRequest' },
);

export const AccountStateResponse = Type.Object(
  { uuid: Uuid, enabled: Type.Boolean(), isSuperuser: Type.Boolean() },
  { $id: 'AccountStateResponse' },
);
