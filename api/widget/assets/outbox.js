import { Refused } from './visit.js';

/** @typedef {import('./visit.js').Visit} Visit */
/**
 * A message that the service does not have yet. @typedef {{ id: string, text: string, newChat?: boolean, at: number, files: File[],
 *   uploaded?: number[], hasFailed?: boolean, stopped?: boolean }} Unsent
 */

/** Whoever uses the computer later finds nothing older. */
const keptMs = 86_400_000;
const maxWaitMs = 30_000;

/**
 * What the visitor has written and the service does not have yet. It is sent in its order, again and again until it is stored, by
 * the next page as well; by its id a message is stored once. Files are kept by this page only.
 */
export class Outbox {
  #visit;
  #on;
  #key;
  /** @type {Unsent[]} */
  #unsent = [];
  #isSending = false;
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {Visit} visit
   * @param {{ deliver: (message: Unsent) => Promise<void>, failed: (message: Unsent, why: unknown) => void }} on `failed`: the
   *   message waits, or is `stopped`
   */
  constructor(visit, on) {
    this.#visit = visit;
    this.#on = on;
    this.#key = `${visit.key}:unsent:`;
    addEventListener('online', () => this.send());
  }

  /** @param {Unsent} message */
  add(message) {
    const { id, text, newChat, at, files } = message;
    this.#unsent.push(message);
    this.#visit.stored.set(this.#key + id, JSON.stringify({ id, text, newChat, at, files: files.length }));
    this.send();
  }

  /** What an earlier page, or another one, has kept. @returns {(Omit<Unsent, 'files'> & { files: number })[]} oldest first */
  kept() {
    const { stored } = this.#visit;
    const keys = stored.keys(this.#key);
    const found = keys.map((key) => ({ id: key.slice(this.#key.length), ...stored.read(key) }));
    return found
      .filter(({ id, at }) => at > Date.now() - keptMs || this.drop(id))
      .sort((one, other) => one.at - other.at);
  }

  /** @param {string} id of a message that the service has, or that is given up */
  drop(id) {
    this.#unsent = this.#unsent.filter((message) => message.id !== id);
    this.#visit.stored.set(this.#key + id, null);
  }

  /** Forgets all. @returns {string} what was to be sent */
  clear() {
    clearTimeout(this.#timer);
    const text = this.#unsent.map((message) => message.text).join('\n');
    this.#unsent = [];
    for (const key of this.#visit.stored.keys(this.#key)) this.#visit.stored.set(key, null);
    return text;
  }

  /** Sends a message that was refused once more. @param {string} id */
  again(id) {
    for (const message of this.#unsent) if (message.id === id) message.stopped = false;
    this.send();
  }

  /** Sends what waits, one after the other: the first message begins the chat. */
  async send() {
    clearTimeout(this.#timer);
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      try {
        await this.#on.deliver(next);
        this.drop(next.id);
        this.#failures = 0;
      } catch (error) {
        const pauseMs = this.#pauseAfter(error);
        next.stopped = pauseMs === undefined;
        this.#on.failed(next, error);
        if (pauseMs === undefined) continue;
        this.#timer = setTimeout(() => this.send(), pauseMs);
        break;
      }
    }
    this.#isSending = false;
  }

  #next() {
    return this.#unsent.find(({ stopped }) => stopped !== true);
  }

  /** How long to wait until it is tried again; undefined: it would be refused again. @param {unknown} error */
  #pauseAfter(error) {
    const isFinal = error instanceof Refused && error.status < 500 && error.status !== 429;
    if (isFinal) return undefined;
    this.#failures += 1;
    const longer = Math.min(maxWaitMs, 1_000 * 2 ** Math.min(5, this.#failures));
    return Math.max(longer, error instanceof Refused ? error.retryAfterSeconds * 1_000 : 0);
  }
}
