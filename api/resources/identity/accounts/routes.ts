import Type from 'typebox';
import { setAccountEnabled } from '../../../../domain/identity/accounts/set-account-enabled.js';
import { superuserAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Uuid } from '../../../http/schemas.js';

const UpdateAccountStateRequest = Type.Object(
  {
    enabled: Type.Boolean(),
    leaveWithoutAdmin: Type.Optional(
      Type.Boolean({ description: 'Disable the last admin of a workspace as well. Default false' }),
    ),
  },
  { $id: 'UpdateAccountStateRequest' },
);

const AccountStateResponse = Type.Object(
  { uuid: Uuid, enabled: Type.Boolean(), isSuperuser: Type.Boolean() },
  { $id: 'AccountStateResponse' },
);

const updateAccountState = defineRoute({
  operationId: 'updateAccountState',
  method: 'PUT',
  path: '/accounts/{account_uuid}',
  tag: 'Support',
  summary: 'Enable or disable an account',
  description:
    "For superusers who are signed in. Disabling ends the account's sessions; while the account is disabled, its keys are refused, it gets no codes, and the chats of its members rest.",
  access: superuserAccess(),
  body: UpdateAccountStateRequest,
  example: { body: { enabled: true } },
  response: { status: 200, schema: AccountStateResponse },
  errors: {
    409: "The account is the caller's own (`own_account`), or the last admin of a workspace (`last_admin`).",
  },
  handler: async ({ context, params, body }) => {
    const { uuid, enabled, isSuperuser } = await setAccountEnabled(context, params.account_uuid, body);
    return { uuid, enabled, isSuperuser };
  },
});

export const accountsRoutes = [updateAccountState];
