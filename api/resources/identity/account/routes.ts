import { confirmAddress, requestAddress } from '../../../../domain/identity/accounts/account-addresses.js';
import { updateAccount as update } from '../../../../domain/identity/accounts/update-account.js';
import { optionalAccount, signedInAccount, signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { LoginCodeResponse, RequestLoginCodeRequest } from '../login-codes/schemas.js';
import { presentAccount, presentNobody } from './presenter.js';
import { AccountResponse, ConfirmAddressRequest, UpdateAccountRequest } from './schemas.js';

const getAccount = defineRoute({
  operationId: 'getAccount',
  method: 'GET',
  path: '/account',
  tag: 'Account',
  summary: 'Get the account behind the credential',
  description: 'Without a credential: an account with `loggedIn` false.',
  access: optionalAccount({ scope: 'account:read' }),
  response: { status: 200, schema: AccountResponse },
  handler: async ({ context }) =>
    context.account === null ? presentNobody() : presentAccount(context.account),
});

const updateAccount = defineRoute({
  operationId: 'updateAccount',
  method: 'POST',
  path: '/account',
  tag: 'Account',
  summary: 'Update the account behind the credential',
  access: signedInAccount({ scope: 'account:write' }),
  body: UpdateAccountRequest,
  response: { status: 200, schema: AccountResponse },
  handler: async ({ context, body }) => presentAccount(await update(context, body)),
});

const requestAccountAddress = defineRoute({
  operationId: 'requestAccountAddress',
  method: 'POST',
  path: '/account/addresses',
  tag: 'Account',
  summary: 'Ask for a code to an email or phone that the account is to have',
  description:
    'The code is sent to the address; the answer is the same whoever has it. Within an hour of signing in, by a session of the account.',
  access: signedInPerson(),
  idempotent: false,
  body: RequestLoginCodeRequest,
  response: { status: 202, schema: LoginCodeResponse },
  errors: {
    403: 'The session began more than an hour ago (`sign_in_again`), or there is none (`session_required`).',
    409: 'The phone number has opted out of login codes by STOP to the number that they come from (`opted_out`).',
    429: 'Too many codes were asked for with this address, or from where the request comes.',
  },
  handler: async ({ context, body }) => {
    const { uuid, expiresAt } = await requestAddress(context, body);
    return { uuid, expiresAt: expiresAt.toISOString() };
  },
});

const confirmAccountAddress = defineRoute({
  operationId: 'confirmAccountAddress',
  method: 'PUT',
  path: '/account/addresses/{login_code_uuid}',
  tag: 'Account',
  summary: 'Give the account an email or phone by the code that was sent to it',
  description:
    'It takes the place of the one that the account has. Members of the account that had that one, or for whom the new one is pending, have the new one from then on, unless another member of the workspace has it; other sessions of the account end. A code that is wrong, used or no longer valid is 400 `code_refused`.',
  access: signedInPerson(),
  body: ConfirmAddressRequest,
  response: { status: 200, schema: AccountResponse },
  errors: {
    403: 'The session began more than an hour ago (`sign_in_again`), or there is none (`session_required`).',
    409: 'Another account that takes part somewhere has the address (`address_taken`).',
    429: 'Too many wrong codes were tried.',
  },
  handler: async ({ context, params, body }) =>
    presentAccount(await confirmAddress(context, { loginCodeUuid: params.login_code_uuid, code: body.code })),
});

export const accountRoutes = [getAccount, updateAccount, requestAccountAddress, confirmAccountAddress];
