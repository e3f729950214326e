export interface CaughtMessage {
  sequence: number;
  receivedAt: string;
  /** Sender and recipients of the SMTP envelope, which may differ from the headers. */
  from: string;
  to: string[];
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** A fault for the next message to an address: a reply code, or the end of the connection instead of a reply. */
export interface Mishap {
  to: string;
  reply?: number;
  hangUp?: boolean;
}

export class Mailbox {
  readonly #messages: CaughtMessage[] = [];
  readonly #mishaps: Mishap[] = [];
  #sequence = 0;

  add(message: Omit<CaughtMessage, 'sequence'>): void {
    this.#sequence += 1;
    this.#messages.push({ sequence: this.#sequence, ...message });
  }

  after(sequence: number, to: string | null): CaughtMessage[] {
    return this.#messages.filter(
      (message) => message.sequence > sequence && (to === null || message.to.includes(to.toLowerCase())),
    );
  }

  clear(): void {
    this.#messages.splice(0);
  }

  plan(mishap: Mishap): void {
    this.#mishaps.push(mishap);
  }

  nextMishap(to: readonly string[]): Mishap | undefined {
    const index = this.#mishaps.findIndex((mishap) => to.includes(mishap.to));
    return index < 0 ? undefined : this.#mishaps.splice(index, 1)[0];
  }
}
