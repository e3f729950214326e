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
   * @throws MailRefused, MailBusy when it was certainly not taken
   * @throws MailOutcomeUnknown when it may have been
   */
  send(message: OutgoingMail): Promise<void>;
}

/** The server will not take this message, now or later. `code` is its reply code, such as 550. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  constructor(readonly code: string) {
    super(`the mail server refused the message: ${code}`);
  }
}

/** The server cannot be reached, or has no time now. */
export class MailBusy extends Error {
  override readonly name = 'MailBusy';
  constructor(readonly code: string) {
    super(`the mail server cannot take the message now: ${code}`);
  }
}

/** The connection was lost after the message may have been taken. */
export class MailOutcomeUnknown extends Error {
  override readonly name = 'MailOutcomeUnknown';
  constructor(readonly code: string) {
    super(`it is unknown whether the mail server took the message: ${code}`);
  }
}
