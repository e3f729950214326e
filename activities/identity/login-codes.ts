import {
  claimLoginCode,
  loginCodeText,
  type NotSent,
  recordLoginCodeSending,
} from '../../domain/identity/login-codes/claim-login-code.js';
import { notConfigured, ProviderRefused } from '../../providers/failures.js';
import { outcomeNameOf, performOnce } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';

/** The outcome of a login code, as its run returns it. */
export type LoginCodeOutcome = 'sent' | 'failed' | 'unknown_outcome' | NotSent;

/** A code is valid for ten minutes, so a busy provider is retried soon. */
const longestRetryMs = 60_000;

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
          perform: (claim) => send(dependencies, claim),
          record: (outcome, _claim, token) =>
            recordLoginCodeSending(dependencies, loginCodeUuid, outcome, token),
        });
        if (performed.kind === 'not_claimed') {
          login.notSent?.(performed.claim.reason);
          return { outcome: performed.claim.reason };
        }
        return { outcome: outcomeNameOf(performed) };
      } catch (error) {
        throw retryLater(error, longestRetryMs);
      }
    },
  };
}

async function send(
  { mail, carrier, login }: ActivityDependencies,
  { channel, to, code }: { channel: 'email' | 'phone'; to: string; code: string },
): Promise<void> {
  const { subject, text, sms } = loginCodeText(code);
  if (channel === 'email') {
    if (mail === undefined) throw new ProviderRefused('mail', notConfigured);
    return mail.send({ to, subject, text });
  }
  const from = login.smsFrom;
  if (carrier === undefined || from === undefined) throw new ProviderRefused('carrier', notConfigured);
  await carrier.sendSms({ from, to, body: sms });
}
