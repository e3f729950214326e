import type { AccountRow } from '../../../../db/identity/models/account.js';
import { confirmAddress, requestAddress } from '../../../../domain/identity/accounts/account-addresses.js';
import { recordAcquisition as record } from '../../../../domain/identity/accounts/record-acquisition.js';
import { updateAccount as update } from '../../../../domain/identity/accounts/update-account.js';
import { optionalAccount, signedInAccount, signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { LoginCodeResponse, RequestLoginCodeRequest } from '../login-codes/schemas.js';
import { nobody } from './nobody.js';
import {
  AccountResponse,
  AcquisitionRequest,
  AcquisitionResponse,
  ConfirmAddressRequest,
  UpdateAccountRequest,
} from './schemas.js';

const getAccount = defineRoute({
  operationId: 'getAccount',
  method: 'GET',
  path: '/account',
  tag: 'Account',
  summary: 'Get the account of the credential',
  description:
    'Without a credential, the answer is an account with `loggedIn` false. To a session by the identity provider of an organization, it tells no addresses.',
  access: optionalAccount({ scope: 'account:read', openToProviders: true }),
  response: { status: 200, schema: AccountResponse },
  handler: async ({ context }) => (context.account === null ? nobody : signedIn(context.account)),
});

const updateAccount = defineRoute({
  operationId: 'updateAccount',
  method: 'POST',
  path: '/account',
  tag: 'Account',
  summary: 'Change the account of the credential',
  access: signedInAccount({ scope: 'account:write' }),
  body: UpdateAccountRequest,
  example: { body: { name: 'Demo Admin', timezone: 'America/New_York' } },
  response: { status: 200, schema: AccountResponse },
  handler: async ({ context, services: { webhookAddresses, fileAddresses }, body }) =>
    signedIn(await update({ ...context, webhookAddresses, fileAddresses }, body)),
});

const recordAcquisition = defineRoute({
  operationId: 'recordAcquisition',
  method: 'POST',
  path: '/account/acquisition',
  tag: 'Account',
  summary: 'Record where the account first came from',
  description:
    'Recorded once, for the first touch: a later call, or one whose values tell nothing, answers `recorded` false and changes nothing. A landing page alone tells nothing: every visit has one.',
  access: signedInAccount({ scope: 'account:write' }),
  body: AcquisitionRequest,
  example: {
    body: { utmSource: 'newsletter', utmMedium: 'email', landingPage: 'https://clinic.example/welcome' },
  },
  response: { status: 200, schema: AcquisitionResponse },
  handler: async ({ context, body }) => ({ recorded: await record(context, body) }),
});

const requestAccountAddress = defineRoute({
  operationId: 'requestAccountAddress',
  audit: { not: 'nothing changes before the code is entered, which confirmAccountAddress records' },
  method: 'POST',
  path: '/account/addresses',
  tag: 'Account',
  summary: "Request a code to add or change the account's email or phone",
  description:
    'Sends the code to the address; the answer does not depend on who has the address. Needs a session of the account that began within the last hour.',
  access: signedInPerson(),
  idempotent: false,
  body: RequestLoginCodeRequest,
  example: { body: { email: 'demo.admin@clinic.example' } },
  response: { status: 202, schema: LoginCodeResponse },
  errors: {
    403: 'The session began more than an hour ago (`sign_in_again`), or there is none (`session_required`).',
    409: 'The phone number has opted out of login codes, by STOP to the number that sends them (`opted_out`).',
    429: 'Too many codes were requested for this address, or by this client.',
  },
  handler: async ({ context, body }) => requestAddress(context, body),
});

const confirmAccountAddress = defineRoute({
  operationId: 'confirmAccountAddress',
  audit: ['address:changed'],
  method: 'PUT',
  path: '/account/addresses/{login_code_uuid}',
  tag: 'Account',
  summary: "Set the account's email or phone with the code sent to it",
  description:
    "Replaces the account's present email or phone. Members of the account that had the former value, or for whom the new one is pending, get the new one too, unless another member of the workspace has it. The account's other sessions end. A code that is wrong, used or expired is refused with 400 `code_refused`.",
  access: signedInPerson(),
  body: ConfirmAddressRequest,
  example: {
    // A code arrives by mail, so this one does not work.
    params: { login_code_uuid: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f05' },
    body: { code: '123456' },
  },
  response: { status: 200, schema: AccountResponse },
  errors: {
    403: 'The session began more than an hour ago (`sign_in_again`), or there is none (`session_required`).',
    409: 'Another account, which is a member of a workspace, has the address (`address_taken`).',
    429: 'Too many wrong codes were entered.',
  },
  handler: async ({ context, params, body }) =>
    signedIn(await confirmAddress(context, { loginCodeUuid: params.login_code_uuid, code: body.code })),
});

function signedIn(account: AccountRow) {
  return { ...account, loggedIn: true };
}

export const accountRoutes = [
  getAccount,
  updateAccount,
  recordAcquisition,
  requestAccountAddress,
  confirmAccountAddress,
];
