import { setTimeout as delay } from 'node:timers/promises';
import { postWebhook } from '../post-webhook.js';
import { callFields, handsetOf } from './call-fields.js';
import type { Call } from './call-store.js';
import type { Exchange } from './exchange.js';

/** The name of each status event in `StatusCallbackEvent`; every other status ends a call. */
const eventNames: Record<string, string> = {
  initiated: 'initiated',
  ringing: 'ringing',
  'in-progress': 'answered',
};

/**
 * The callbacks about one call, one after the other; by the knobs late, twice, in the wrong order or never. They delay
 * nothing of the call.
 */
export class CallReports {
  readonly #exchange: Exchange;
  readonly #call: Call;
  readonly #statusCallback: string | undefined;
  readonly #events: readonly string[];
  readonly #isReversed: boolean;
  #held: (() => Promise<void>)[] = [];
  #last: Promise<void> = Promise.resolve();
  #sequence = 0;

  constructor(
    exchange: Exchange,
    call: Call,
    {
      statusCallback,
      statusEvents,
    }: { statusCallback?: string | undefined; statusEvents: readonly string[] },
  ) {
    this.#exchange = exchange;
    this.#call = call;
    this.#statusCallback = statusCallback;
    this.#events = statusEvents;
    this.#isReversed = exchange.knobs.takes(handsetOf(call), 'outOfOrder');
  }

  /** Reports a status of the call, if its maker wanted that. */
  status(status: string, more: Record<string, string> = {}): void {
    const isEnd = !(status in eventNames);
    if (this.#statusCallback === undefined) return;
    if (!this.#events.includes(eventNames[status] ?? 'completed')) return;
    const fields = {
      ...callFields(this.#exchange.accountSid, this.#call, status),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(this.#sequence),
      Timestamp: new Date().toUTCString().replace('GMT', '+0000'),
      ...more,
    };
    this.#sequence += 1;
    const url = this.#statusCallback;
    const post = () => this.#post(status, url, fields);
    this.#held.unshift(post);
    if (this.#isReversed && !isEnd) return;
    for (const held of this.#held.splice(0)) this.#enqueue(held);
  }

  /** Reports what is not a status, such as `machine-detection` or `stream-started`. */
  other(event: string, url: string, fields: Record<string, string>): void {
    this.#enqueue(() =>
      this.#post(event, url, { ...callFields(this.#exchange.accountSid, this.#call), ...fields }),
    );
  }

  #enqueue(post: () => Promise<void>): void {
    this.#last = this.#last.then(post);
    this.#exchange.beside(this.#last);
  }

  async #post(event: string, url: string, fields: Record<string, string>): Promise<void> {
    const { knobs, sender, store } = this.#exchange;
    const handset = handsetOf(this.#call);
    if (knobs.of(handset).lostCallEvents.includes(event) || knobs.takes(handset, 'lost')) {
      store.note(this.#call, 'callbacks', { event, outcome: 'lost' });
      return;
    }
    const times = knobs.takes(handset, 'doubled') ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      await delay(knobs.lateness(handset), undefined, { signal: sender.closing });
      const result = await postWebhook(sender, url, fields);
      const httpStatus = result.outcome === 'answered' ? { httpStatus: result.httpStatus } : {};
      store.note(this.#call, 'callbacks', { event, outcome: result.outcome, ...httpStatus });
    }
  }
}
