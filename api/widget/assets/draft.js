/** @typedef {{ turn: string, round: number }} Reply */

const typingLastsMs = 10_000;
const draftLastsMs = 30_000;

/** What the agent is writing, and that somebody types, until it is there or overdue. */
export class Draft {
  /** @type {Reply & { text: string } | undefined} */
  #draft;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #draftTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typingTimer;

  /** @param {import('./view.js').View} view */
  constructor(view) {
    this.view = view;
  }

  /** @param {Reply} reply */
  #isOf({ turn, round }) {
    return this.#draft?.turn === turn && this.#draft.round === round;
  }

  /** @param {Reply & { index: number, text: string }} piece */
  add({ turn, round, index, text }) {
    if (index === 0) this.#set({ turn, round, text });
    else if (this.#draft !== undefined && this.#isOf({ turn, round }))
      this.#set({ turn, round, text: this.#draft.text + text });
  }

  /** @param {Reply} [reply] only the draft of this one */
  drop(reply) {
    if (reply === undefined || this.#isOf(reply)) this.#set(undefined);
  }

  /** @param {Reply & { text: string } | undefined} draft */
  #set(draft) {
    this.#draft = draft;
    clearTimeout(this.#draftTimer);
    if (draft !== undefined) this.#draftTimer = setTimeout(() => this.#set(undefined), draftLastsMs);
    this.view.log.setDraft(draft?.text ?? '');
    if (draft !== undefined) this.setTyping(false);
  }

  /** @param {boolean} active */
  setTyping(active) {
    clearTimeout(this.#typingTimer);
    this.view.typing.hidden = !active;
    if (active) this.#typingTimer = setTimeout(() => this.setTyping(false), typingLastsMs);
  }
}
