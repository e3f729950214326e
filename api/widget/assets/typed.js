const typingEveryMs = 3_000;
/** What was typed and not sent, on a computer that others use as well. */
const typedLastsMs = 3_600_000;

/** What is typed: it is there on the next page as well, and the team sees that somebody types. */
export class Typed {
  #toldAt = 0;

  /** @param {import('./visit.js').Visit} visit */
  constructor(visit) {
    this.visit = visit;
    this.key = `${visit.key}:typed`;
  }

  /** @returns {string} what was typed on an earlier page */
  takeUp() {
    const typed = this.visit.stored.read(this.key);
    if (typed?.at > Date.now() - typedLastsMs) return typed.text;
    this.forget();
    return '';
  }

  /** @param {string} text @param {boolean} isConnected whether anybody can see it */
  keep(text, isConnected) {
    const now = Date.now();
    if (text === '') this.forget();
    else this.visit.stored.set(this.key, JSON.stringify({ text, at: now }));
    if (text === '' || !isConnected || now - this.#toldAt < typingEveryMs) return;
    this.#toldAt = now;
    this.visit.typing().catch(() => {});
  }

  forget() {
    this.visit.stored.set(this.key, null);
  }
}
