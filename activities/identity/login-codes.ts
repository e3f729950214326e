import type { OwnMessage } from '../../domain/channels/outreach/claim-notice.js';
import {
  claimLoginCode,
  loginCodeText,
  type NotSent,
  recordLoginCodeSending,
} from '../../domain/identity/login-codes/claim-login-code.js';
import { sendOwnMessage } from '../channels/send-own-message.js';
import { outcomeNameOf, performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';

/** The outcome of a login code, as its run returns it. */
export type LoginCodeOutcome = 'sent' | 'failed' | 'unknown_outcome' | NotSent;

/** A code is valid for ten minutes, so a busy provider is retried soon. */
const maxRetryMs = 60_000;

export function loginCodeActivities(dependencies: ActivityDependencies) {
  const { clock, db, login } = dependencies;

  return {
    /** Sends a code, at most once. A person who does not receive it requests another. */
    async sendLoginCode(input: { loginCodeUuid: string }): Promise<{ outcome: LoginCodeOutcome }> {
      const { loginCodeUuid } = input;
      const context = { clock, db, secret: login.secret, limits: login.smsLimits };
      try {
        const performed = await performOnce({
          claim: (token) => claimLoginCode(context, loginCodeUuid, token),
          perform: (claim) => sendOwnMessage(dependencies, messageOf(claim, login.smsFrom)),
          record: (outcome, _claim, token) =>
            recordLoginCodeSending(dependencies, loginCodeUuid, outcome, token),
        });
        if (performed.kind === 'not_claimed') {
          login.notSent?.(performed.claim.reason);
          return { outcome: performed.claim.reason };
        }
        return { outcome: outcomeNameOf(performed) };
      } catch (error) {
        throw retryLater(error, maxRetryMs);
      }
    },
  };
}

function messageOf(
  { channel, to, code }: { channel: 'email' | 'phone'; to: string; code: string },
  smsFrom: string | undefined,
): OwnMessage {
  const { subject, text, sms } = loginCodeText(code);
  if (channel === 'email') return { channel, to, subject, text };
  return { channel: 'sms', to, from: smsFrom ?? null, body: sms };
}
