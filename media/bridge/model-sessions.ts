import type { RealtimeMessage, RealtimeSession } from '../../providers/realtime/realtime.js';

/** Milliseconds. */
const times = {
  /** Before the provider ends the session, which it does after an hour. */
  session: 55 * 60_000,
  /** A session that is lost so soon after it was opened may be lost in the same way the next time. */
  sudden: 10_000,
};

const maxUnreported = 50;

interface SessionTimer {
  now(): number;
  set(name: 'session', ms: number, run: () => void): void;
  clear(name: 'session'): void;
}

/** The sessions of the model in a call, of which there is one at a time, or none for a while. */
export class ModelSessions {
  readonly #timer: SessionTimer;
  readonly #grownOld: () => void;
  #current: RealtimeSession | undefined;
  #number = 0;
  #isOld = false;
  #openedAt = 0;
  #failures = 0;
  /** What the next session is told first. */
  #untold: RealtimeMessage[] = [];

  /** @param grownOld the session has to be replaced at the next pause */
  constructor(timer: SessionTimer, grownOld: () => void) {
    this.#timer = timer;
    this.#grownOld = grownOld;
  }

  get current(): RealtimeSession | undefined {
    return this.#current;
  }

  /** Grows with each session that is opened, and with each that is lost. */
  get number(): number {
    return this.#number;
  }

  /** Whether events with this number are of the session that there is. */
  isCurrent(number: number): boolean {
    return number === this.#number && this.#current !== undefined;
  }

  get isOld(): boolean {
    return this.#isOld;
  }

  /** Whether it was opened just now. */
  get isYoung(): boolean {
    return this.#timer.now() - this.#openedAt < times.sudden;
  }

  opened(session: RealtimeSession): void {
    this.#number += 1;
    this.#current = session;
    this.#isOld = false;
    this.#openedAt = this.#timer.now();
    this.#timer.set('session', times.session, () => {
      this.#isOld = true;
      this.#grownOld();
    });
  }

  /** @returns whether there was one */
  lost(): boolean {
    if (this.#current === undefined) return false;
    this.#current = undefined;
    // From here on, messages in the middle of which the session was lost are of an earlier one.
    this.#number += 1;
    this.#timer.clear('session');
    return true;
  }

  /** A response of it had sound, or called a tool. */
  hasWorked(): void {
    this.#failures = 0;
  }

  /** @returns how many have failed in a row */
  hasFailed(): number {
    this.#failures += 1;
    return this.#failures;
  }

  /** Kept for the next session, if there is none. */
  tell(message: RealtimeMessage): void {
    if (this.#current !== undefined) this.#current.addMessage(message);
    else if (this.#untold.length < maxUnreported) this.#untold.push(message);
  }

  /** Tells it something that nobody has said. */
  note(text: string): void {
    this.tell({ role: 'system', text });
  }

  reportUntold(): void {
    for (const message of this.#untold.splice(0)) this.#current?.addMessage(message);
  }

  /** The last one. */
  close(): void {
    this.#current?.close();
    this.#current = undefined;
  }
}
