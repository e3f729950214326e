import type { DeliveryDone } from './contracts/steps.js';

/** How many messages a run has left in which state, and why messages failed. */
export interface DeliveryTotals {
  messages: number;
  sent: number;
  failed: number;
  /** Ids of messages that failed, with the reasons. */
  failures?: Record<number, string>;
}

/** What a run has done so far, by message. */
export class DeliveryTally {
  readonly #done = new Map<number, DeliveryDone>();

  add(done: DeliveryDone): void {
    this.#done.set(done.messageId, done);
  }

  totals(): DeliveryTotals {
    const failures = this.#inState('failed').map(({ messageId, reason }) => [messageId, reason ?? 'failed']);
    return {
      messages: this.#done.size,
      sent: this.#inState('sent', 'delivered').length,
      failed: failures.length,
      ...(failures.length === 0 ? {} : { failures: Object.fromEntries(failures) }),
    };
  }

  inWords(): string {
    const { messages, sent, failed, failures } = this.totals();
    if (messages === 0) return 'So far nothing was to be sent.';
    const why = Object.entries(failures ?? {}).map(([id, reason]) => `message ${id}: \`${reason}\``);
    return `Messages handed over: ${sent}; failed: ${failed}${why.length === 0 ? '' : ` (${why.join(', ')})`}.`;
  }

  #inState(...states: string[]): DeliveryDone[] {
    return [...this.#done.values()].filter(({ state }) => states.includes(state));
  }
}
