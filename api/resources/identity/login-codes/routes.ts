import { requestLoginCode as request } from '../../../../domain/identity/login-codes/request-login-code.js';
import { anonymousAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { LoginCodeResponse, RequestLoginCodeRequest } from './schemas.js';

const requestLoginCode = defineRoute({
  operationId: 'requestLoginCode',
  method: 'POST',
  path: '/login-codes',
  tag: 'Sessions',
  summary: 'Request a one-time code to sign in',
  description:
    'Sends a code to the address if an account has it, or a member of any workspace; the answer is the same if neither does. The code is valid for ten minutes, for one use and five tries, until the same client requests another one for the address.',
  access: anonymousAccess(),
  body: RequestLoginCodeRequest,
  example: { body: { email: demo.adminEmail } },
  response: { status: 202, schema: LoginCodeResponse },
  errors: {
    409: 'The phone number has opted out of login codes, by STOP to the number that sends them (`opted_out`). The answer does not depend on whether the number is known.',
    429: 'Too many codes were requested for this address, or by this client.',
  },
  handler: async ({ context, body }) => request(context, body),
});

export const loginCodeRoutes = [requestLoginCode];
