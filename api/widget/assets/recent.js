/** @typedef {import('./visit.js').Message} Message */

/** Messages that are shown at once on the next page of the tab. */
const maxRecent = 20;

/** The newest messages of the chat, oldest first, which the tab keeps. */
export class Recent {
  /** @type {Message[]} */
  #messages = [];
  /** The newest answer, which a rating is about. @type {string | undefined} */
  #lastAnswer;

  /** @param {import('./visit.js').Visit} visit */
  constructor(visit) {
    this.visit = visit;
    this.key = `${visit.key}:recent`;
  }

  get last() {
    return this.#messages.at(-1);
  }

  get lastAnswer() {
    return this.#lastAnswer;
  }

  /** @param {string} id */
  has(id) {
    return this.#messages.some((message) => message.id === id);
  }

  /** What an earlier page of the tab has kept, unless this one has messages. @returns {Message[]} */
  takeUp() {
    const kept = this.visit.tab.read(this.key);
    if (kept?.chat !== this.visit.chat || this.#messages.length > 0) return [];
    this.#messages = kept.messages;
    return kept.messages;
  }

  /** @param {Message[]} newestFirst as they were read; what came meanwhile is newer */
  read(newestFirst) {
    const newer = this.#messages.filter(({ id }) => newestFirst.every((message) => message.id !== id));
    this.#messages = [
      ...newestFirst.toReversed(),
      ...newer.filter(({ createdAt }) => createdAt > (newestFirst[0]?.createdAt ?? '')),
    ];
    this.#lastAnswer = this.#messages.findLast(({ role }) => role === 'assistant')?.id;
    this.#keep();
  }

  /** @param {Message} message */
  add(message) {
    const place = this.#messages.findIndex(({ id }) => id === message.id);
    this.#messages.splice(place === -1 ? this.#messages.length : place, 1, message);
    if (message.role === 'assistant') this.#lastAnswer = message.id;
    this.#keep();
  }

  #keep() {
    const kept = { chat: this.visit.chat, messages: this.#messages.slice(-maxRecent) };
    this.visit.tab.set(this.key, JSON.stringify(kept));
  }

  forget() {
    this.#messages = [];
    this.#lastAnswer = undefined;
    this.visit.tab.set(this.key, null);
  }
}
