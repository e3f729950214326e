import { ProviderBusy, ProviderOutcomeUnknown, ProviderRefused, ProviderUnusable } from '../failures.js';

/** One plain message to one person. */
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
}

/**
 * Mail on its way out. Nothing here retries: the durable runs decide about that, and they need to know which failures
 * are definite. The errors' messages never quote addresses or texts.
 */
export interface Mail {
  /**
   * Resolves when the mail server has taken the message.
   *
   * @throws MailRefused, MailBusy, MailUnusable when it was certainly not taken
   * @throws MailOutcomeUnknown when it may have been
   */
  send(message: OutgoingMail): Promise<void>;
}

/** The server will not take this message, now or later. `code` is its reply code, such as 550. */
export class MailRefused extends ProviderRefused {
  override readonly name = 'MailRefused';
  constructor(code: string) {
    super('mail', code);
  }
}

/** The server cannot be reached, or has no time now. */
export class MailBusy extends ProviderBusy {
  override readonly name = 'MailBusy';
  constructor(code: string) {
    super('mail', code);
  }
}

/** The connection was lost after the message may have been taken. */
export class MailOutcomeUnknown extends ProviderOutcomeUnknown {
  override readonly name = 'MailOutcomeUnknown';
  constructor(code: string) {
    super('mail', code);
  }
}

/** The server does not let us send: a wrong password, or a sender that the account may not use. */
export class MailUnusable extends ProviderUnusable {
  override readonly name = 'MailUnusable';
  constructor(code: string) {
    super('mail', code);
  }
}
