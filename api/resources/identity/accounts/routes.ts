import Type from 'typebox';
import { setAccountEnabled } from '../../../../domain/identity/accounts/set-account-enabled.js';
import { setPaymentCustomer as setCustomer } from '../../../../domain/identity/accounts/set-payment-customer.js';
import { superuserAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Nullable, Picked, Uuid } from '../../../http/schemas.js';

const UpdateAccountStateRequest = Type.Object(
  {
    enabled: Type.Boolean(),
    leaveWithoutAdmin: Type.Optional(
      Type.Boolean({ description: 'Disable the last admin of a workspace as well. Default false' }),
    ),
  },
  { $id: 'UpdateAccountStateRequest' },
);

const SetPaymentCustomerRequest = Type.Object(
  {
    paymentCustomerId: Nullable(
      Type.String({
        pattern: '^[!-~]{1,255}$',
        maxLength: 255,
        description: 'Id of the customer at the payment processor; null: none',
      }),
    ),
  },
  { $id: 'SetPaymentCustomerRequest' },
);

const AccountStateResponse = Picked(
  {
    uuid: Uuid,
    enabled: Type.Boolean(),
    isSuperuser: Type.Boolean(),
    paymentCustomerId: Nullable(Type.String()),
  },
  { $id: 'AccountStateResponse' },
);

const updateAccountState = defineRoute({
  operationId: 'updateAccountState',
  audit: ['account:enabled', 'account:disabled'],
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
  handler: async ({ context, params, body }) => setAccountEnabled(context, params.account_uuid, body),
});

const setPaymentCustomer = defineRoute({
  operationId: 'setPaymentCustomer',
  audit: ['payment_customer:changed'],
  method: 'PUT',
  path: '/accounts/{account_uuid}/payment-customer',
  tag: 'Support',
  summary: 'Say which customer of the payment processor an account is',
  description:
    'For superusers who are signed in. Accounts do not say so themselves: with the customer of another account, a person would pay from its card. A customer that another account is, is refused with 400 `duplicate`.',
  access: superuserAccess(),
  body: SetPaymentCustomerRequest,
  example: { body: { paymentCustomerId: 'cus_4711' } },
  response: { status: 200, schema: AccountStateResponse },
  handler: async ({ context, params, body }) =>
    setCustomer(context, params.account_uuid, body.paymentCustomerId),
});

export const accountsRoutes = [updateAccountState, setPaymentCustomer];
