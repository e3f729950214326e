import { requestLoginCode as request } from '../../../../domain/identity/login-codes/request-login-code.js';
import { anonymousAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { LoginCodeResponse, RequestLoginCodeRequest } from './schemas.js';

const requestLoginCode = defineRoute({
  operationId: 'requestLoginCode',
  method: 'POST',
  path: '/login-codes',
  tag: 'Sessions',
  summary: 'Ask for a one-time code to sign in with',
  description:
    'The code is sent to the address if an account has it, or a member of any workspace; the answer is the same if nobody has. It is good for ten minutes, one use and five tries, until the same requester asks for another one with the same address.',
  access: anonymousAccess(),
  body: RequestLoginCodeRequest,
  response: { status: 202, schema: LoginCodeResponse },
  errors: {
    409: 'The phone number has opted out of login codes by STOP to the number that they come from (`opted_out`), whether or not anybody is known by it.',
    429: 'Too many codes were asked for with this address, or from where the request comes.',
  },
  handler: async ({ context, body }) => {
    const { uuid, expiresAt } = await request(context, body);
    return { uuid, expiresAt: expiresAt.toISOString() };
  },
});

export const loginCodeRoutes = [requestLoginCode];
