import { ProviderBusy, ProviderOutcomeUnknown, ProviderRefused, ProviderUnusable } from '../failures.js';

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail. It never retries: the durable runs decide about that. Error messages never quote addresses or texts. */
export interface Mail {
  /**
   * Resolves when the server has accepted the mail. It was certainly not accepted with MailRefused, MailBusy or
   * MailUnusable, and may have been accepted with MailOutcomeUnknown.
   */
  send(message: OutgoingMail): Promise<void>;
}

/** The server rejects this message permanently. `code` is its reply code, such as 550. */
export class MailRefused extends ProviderRefused {
  constructor(code: string) {
    super('mail', code);
  }
}

export class MailBusy extends ProviderBusy {
  constructor(code: string, retryAfterMs?: number) {
    super('mail', code, retryAfterMs);
  }
}

export class MailOutcomeUnknown extends ProviderOutcomeUnknown {
  constructor(code: string) {
    super('mail', code);
  }
}

/** The server does not let this account send: a wrong password, or a sender that the account may not use. */
export class MailUnusable extends ProviderUnusable {
  constructor(code: string, details: ProviderUnusable['details'] = {}) {
    super('mail', code, details);
  }
}
