import { updateAccount as update } from '../../../domain/accounts/update-account.js';
import { optionalAccount, signedInAccount } from '../../http/access.js';
import { defineRoute } from '../../http/define-route.js';
import { presentAccount, presentNobody } from './presenter.js';
import { AccountResponse, UpdateAccountRequest } from './schemas.js';

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

export const accountRoutes = [getAccount, updateAccount];
