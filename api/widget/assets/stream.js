import { Refused, refusal } from './visit.js';

/** @typedef {import('./visit.js').Visit} Visit */
/** @typedef {{ event: string, data: any }} ServerEvent */

const maxPauseMs = 30_000;
/** The service says something every twenty seconds: without that the connection is dead, whatever the browser thinks. */
const silenceMs = 60_000;

/** Follows the events of the chat, again and again: `EventSource` cannot send the token, which is in no address. */
export class Stream {
  #visit;
  #on;
  /** @type {AbortController | undefined} */
  #connection;
  /** @type {AbortController | undefined} */
  #attempt;
  /** Whether the next attempt follows at once. */
  #isWoken = false;
  /** @type {(() => void) | undefined} */
  #wake;
  #lastEventId = '';
  #retryMs = 1_000;
  #failures = 0;

  /**
   * @param {Visit} visit
   * @param {{ event: (event: ServerEvent) => void, connected: (isConnected: boolean) => void,
   *   refused: (why: Refused) => void }} on `refused`: the stream is over
   */
  constructor(visit, on) {
    this.#visit = visit;
    this.#on = on;
    // What was connected before may be a connection of a network that is gone.
    addEventListener('online', () => {
      this.#isWoken = this.isOpen;
      this.#attempt?.abort();
      this.#wake?.();
    });
  }

  get isOpen() {
    return this.#connection !== undefined;
  }

  open() {
    if (this.#connection !== undefined) return;
    this.#connection = new AbortController();
    void this.#follow(this.#connection.signal);
  }

  /** What follows is another chat, or another visitor. */
  close() {
    this.#connection?.abort();
    this.#connection = undefined;
    this.#lastEventId = '';
    this.#failures = 0;
  }

  /** @param {AbortSignal} signal */
  async #follow(signal) {
    while (!signal.aborted) {
      let pauseMs = this.#retryMs;
      try {
        await this.#read(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refused && ![429, 500, 502, 503, 504].includes(error.status)) {
          this.close();
          this.#on.refused(error);
          return;
        }
        if (error instanceof Refused) pauseMs = Math.max(pauseMs, error.retryAfterSeconds * 1_000);
      }
      if (signal.aborted) return;
      if (this.#isWoken) {
        this.#isWoken = false;
        continue;
      }
      this.#on.connected(false);
      this.#failures += 1;
      const longer = Math.min(maxPauseMs, pauseMs * 2 ** Math.min(6, this.#failures - 1));
      await this.#pause(Math.max(pauseMs, longer * (0.5 + Math.random() / 2)), signal);
    }
  }

  /** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
  #pause(ms, signal) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#wake = go;
      signal.addEventListener('abort', go, { once: true });
    });
  }

  /** @param {AbortSignal} signal */
  async #read(signal) {
    /** @type {Record<string, string>} */
    const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${this.#visit.token}` };
    if (this.#lastEventId !== '') headers['Last-Event-ID'] = this.#lastEventId;
    const address = `${this.#visit.address}/chat/events`;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const stop = () => attempt.abort();
    signal.addEventListener('abort', stop, { once: true });
    let silence = setTimeout(stop, silenceMs);
    try {
      const options = /** @type {const} */ ({ credentials: 'omit', cache: 'no-store' });
      const answer = await fetch(address, { headers, signal: attempt.signal, ...options });
      if (!answer.ok || answer.body === null) throw await refusal(answer);
      this.#isWoken = false;
      this.#on.connected(true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(stop, silenceMs);
        const parts = (rest + value).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) this.#take(part);
      }
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
    }
  }

  /** @param {string} part the lines of one event */
  #take(part) {
    /** @type {Record<string, string>} */
    const fields = {};
    for (const line of part.split('\n')) {
      const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      if (name !== undefined) fields[name] = value;
    }
    if (/^\d+$/.test(fields.retry ?? '')) this.#retryMs = Number(fields.retry);
    if (fields.event === undefined || fields.data === undefined) return;
    // Only what arrives shows that the connection is good: one that is cut at once is tried ever more rarely.
    this.#failures = 0;
    this.#on.event({ event: fields.event, data: JSON.parse(fields.data) });
    if (fields.id !== undefined) this.#lastEventId = fields.id;
  }
}
