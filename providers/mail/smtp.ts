import { loadedAtFirstUse } from '../loaded-at-first-use.js';
import type { EmailRelay } from './email-relay.js';
import { type Mail, MailBusy } from './mail.js';
import type { SmtpMailOptions } from './smtp-mail.js';
import type { SmtpRelayOptions } from './smtp-relay.js';

/** Mail by SMTP. Its package is large, and is loaded with the first message. */
export function smtpMail(options: SmtpMailOptions): Mail {
  const loaded = loadedAtFirstUse(async () => {
    const { SmtpMail } = await import('./smtp-mail.js');
    return new SmtpMail(options);
  }, MailBusy);
  return { send: async (mail) => (await loaded()).send(mail) };
}

/** A relay for emails that are written already; loaded with the first of them. */
export function smtpRelay(options: SmtpRelayOptions): EmailRelay {
  const loaded = loadedAtFirstUse(async () => {
    const { SmtpRelay } = await import('./smtp-relay.js');
    return new SmtpRelay(options);
  }, MailBusy);
  return { send: async (...email) => (await loaded()).send(...email) };
}
