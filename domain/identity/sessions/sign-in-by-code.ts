import { rememberDevice } from '../login-codes/known-device.js';
import { tryLoginCode } from '../login-codes/try-login-code.js';
import type { AnonymousContext } from './anonymous-context.js';
import { type BegunSession, beginSession } from './begin-session.js';
import { loginRefused } from './login-refused.js';
import { verifyAddress } from './verify-address.js';

/**
 * Signs an account in by a code that was sent to it, which proves the address; an address that only members say is theirs
 * becomes an account's by it. Every other way this can go looks the same: wrong digits, a code that is used, over,
 * superseded or tried too often, none at all, a disabled account.
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
