import { rememberDevice } from '../login-codes/known-device.js';
import { tryLoginCode } from '../login-codes/try-login-code.js';
import type { AnonymousContext } from './anonymous-context.js';
import { type BegunSession, beginSession, loginRefused } from './begin-session.js';
import { verifyAddress } from './verify-address.js';

/**
 * Signs an account in with a code that was sent to its address, which proves the address. An address that only members
 * have gets an account by it. All failures look the same: wrong digits; a code that is used, expired, superseded or
 * tried too often; no such code; a disabled account.
 *
 * @throws Unauthenticated `login_refused`, TooManyRequests
 */
export async function signInByCode(
  context: AnonymousContext,
  input: { loginCodeUuid: string; code: string },
): Promise<BegunSession> {
  const { clock, secret, visitor } = context;
  return tryLoginCode(context, {
    loginCodeUuid: input.loginCodeUuid,
    digits: input.code,
    isMeant: ({ forAccountId }) => forAccountId === null,
    refused: loginRefused,
    async use(tx, within, code) {
      const account = await verifyAddress(context, tx, within, code);
      if (account === undefined) return undefined;
      const owner = { accountId: account.id, workspaceId: null, memberId: null };
      const begun = await beginSession(context, tx, owner);
      const deviceToken = rememberDevice(secret, visitor.deviceToken, code.identifierHash, clock.now());
      return { ...begun, deviceToken };
    },
  });
}
