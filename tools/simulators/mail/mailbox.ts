/** A message as the server took it. */
export interface CaughtMessage {
  sequence: number;
  receivedAt: string;
  /** Of the envelope: who it is really from and for. */
  from: string;
  to: string[];
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** What happens to the next message for an address. */
export interface Mishap {
  to: string;
  /** The server answers with this reply code instead of taking the message. */
  reply?: number;
  /** It takes the message and hangs up without saying so. */
  hangUp?: boolean;
}

/** What was caught, and what is to go wrong. */
export class Mailbox {
  readonly #messages: CaughtMessage[] = [];
  readonly #mishaps: Mishap[] = [];
  #sequence = 0;

  add(message: Omit<CaughtMessage, 'sequence'>): void {
    this.#sequence += 1;
    this.#messages.push({ sequence: this.#sequence, ...message });
  }

  /** All messages after a sequence number, for one address or all. */
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

  /** The next mishap that was planned for one of these addresses, once. */
  nextMishap(to: readonly string[]): Mishap | undefined {
    const index = this.#mishaps.findIndex((mishap) => to.includes(mishap.to));
    return index < 0 ? undefined : this.#mishaps.splice(index, 1)[0];
  }
}
