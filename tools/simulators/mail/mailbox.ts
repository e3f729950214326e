export interface CaughtAttachment {
  filename: string;
  contentType: string;
  bytes: number;
  sha256: string;
}

export interface CaughtMessage {
  sequence: number;
  receivedAt: string;
  /** Sender and recipients of the SMTP envelope, which may differ from the headers. */
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** Empty: the message has no HTML. */
  html: string;
  headers: Record<string, string>;
  /** Whether the client was told that it was taken. */
  answered: boolean;
  /** How the reports that it was not delivered were answered, one after the other. */
  reports: number[];
  attachments: CaughtAttachment[];
}

/** The messages that were taken, in order. */
export class Mailbox {
  readonly #messages: CaughtMessage[] = [];
  readonly #raw = new Map<number, Buffer>();
  #sequence = 0;

  add(message: Omit<CaughtMessage, 'sequence'>, raw: Buffer): CaughtMessage {
    this.#sequence += 1;
    const caught = { sequence: this.#sequence, ...message };
    this.#messages.push(caught);
    this.#raw.set(this.#sequence, raw);
    return caught;
  }

  after(sequence: number, to: string | null): CaughtMessage[] {
    return this.#messages.filter(
      (message) => message.sequence > sequence && (to === null || message.to.includes(to.toLowerCase())),
    );
  }

  raw(sequence: number): Buffer | undefined {
    return this.#raw.get(sequence);
  }

  clear(): void {
    this.#messages.splice(0);
    this.#raw.clear();
  }
}
