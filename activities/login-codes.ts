import { ApplicationFailure } from '@temporalio/activity';
import { claimLoginCode, type NotSent } from '../domain/login-codes/claim-login-code.js';
import { loginCodeText } from '../domain/login-codes/login-code-text.js';
import {
  type LoginCodeSending,
  recordLoginCodeSending,
} from '../domain/login-codes/record-login-code-sending.js';
import { CarrierBusy, CarrierOutcomeUnknown, CarrierRefused } from '../providers/carrier/carrier.js';
import { MailBusy, MailOutcomeUnknown, MailRefused } from '../providers/mail/mail.js';
import type { ActivityDependencies } from './dependencies.js';

/** What became of a login code, as the run tells it. */
export type LoginCodeOutcome = 'sent' | 'failed' | 'unknown_outcome' | NotSent;

interface Outgoing {
  channel: 'email' | 'phone';
  to: string;
  code: string;
}

/** Login codes on their way out. */
export function loginCodeActivities(dependencies: ActivityDependencies) {
  const { clock, db, login } = dependencies;
  const record = (uuid: string, sending: LoginCodeSending) =>
    recordLoginCodeSending(dependencies, uuid, sending);

  return {
    /**
     * Claims the attempt, sends, records. A repeat that finds it claimed sends nothing: whoever waits in vain asks
     * for another code.
     */
    async sendLoginCode({
      loginCodeUuid,
    }: {
      loginCodeUuid: string;
    }): Promise<{ outcome: LoginCodeOutcome }> {
      const claim = await claimLoginCode({ clock, db, secret: login.secret }, loginCodeUuid);
      if (claim.kind === 'not_sent') return { outcome: claim.reason };
      try {
        await send(dependencies, claim);
      } catch (error) {
        if (error instanceof MailOutcomeUnknown || error instanceof CarrierOutcomeUnknown) {
          await record(loginCodeUuid, { kind: 'failed', reason: 'unknown_outcome' });
          return { outcome: 'unknown_outcome' };
        }
        const reason = refusalOf(error);
        if (reason !== undefined) {
          await record(loginCodeUuid, { kind: 'failed', reason });
          return { outcome: 'failed' };
        }
        if (!(error instanceof MailBusy || error instanceof CarrierBusy)) throw error;
        await record(loginCodeUuid, { kind: 'released' });
        throw busy(error);
      }
      await record(loginCodeUuid, { kind: 'sent' });
      return { outcome: 'sent' };
    },
  };
}

/** Nothing is configured to send by. */
class NotConfigured extends Error {
  override readonly name = 'NotConfigured';
}

async function send(
  { mail, carrier, login }: ActivityDependencies,
  { channel, to, code }: Outgoing,
): Promise<void> {
  const { subject, text, sms } = loginCodeText(code);
  if (channel === 'email') {
    if (mail === undefined) throw new NotConfigured('mail_not_configured');
    await mail.send({ to, subject, text });
    return;
  }
  const from = login.smsFrom;
  if (carrier === undefined || from === undefined) throw new NotConfigured('sms_not_configured');
  await carrier.sendSms({ from, to, body: sms });
}

/** A code for a refusal that stays one. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof MailRefused) return `mail_${error.code}`;
  if (error instanceof CarrierRefused) return `carrier_${error.code}`;
  return error instanceof NotConfigured ? error.message : undefined;
}

function busy(error: MailBusy | CarrierBusy): ApplicationFailure {
  const retryAfterMs = error instanceof CarrierBusy ? error.retryAfterMs : undefined;
  return ApplicationFailure.create({
    message: error instanceof CarrierBusy ? 'the carrier is busy' : 'the mail server is busy',
    type: error instanceof CarrierBusy ? 'carrier_busy' : 'mail_busy',
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs }),
  });
}
