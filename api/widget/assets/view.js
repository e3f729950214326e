import { button, element } from './elements.js';
import { blocks } from './markdown.js';
import { styleSheet } from './styles.js';
import { filled } from './texts.js';

/** @typedef {import('./visit.js').Message} Message */
/** @typedef {import('./visit.js').Settings} Settings */
/** @typedef {import('./texts.js').Texts} Texts */
/** @typedef {{ rating: 0 | 1, comment: string }} Rating */

/**
 * What the controller is told of. @typedef {{ opened: () => void, closed: () => void, sent: (text: string) => void,
 *   typed: () => void, chosen: (files: File[]) => void, older: () => void, ended: (rating?: Rating) => void, renewed: () => void,
 *   canRate: () => boolean, joined: () => void,
 *   rated: (rating: 0 | 1, comment: string) => Promise<void> }} Acts
 */

/** The button and the dialog of the chat, in a shadow tree that the page does not style. */
export class View {
  /**
   * @param {{ settings: Settings, texts: Texts, language: string, acts: Acts, id: string }} made
   */
  constructor({ settings, texts, language, acts, id }) {
    this.texts = texts;
    this.acts = acts;
    this.host = element('div', { id, lang: language });
    const shadow = this.host.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [styleSheet(settings)];

    this.news = element('span', { class: 'news', hidden: true }, [texts.news]);
    this.launcher = button(texts.open, () => this.open(), {
      class: 'launcher main',
      'aria-haspopup': 'dialog',
    });
    this.launcher.append(this.news);

    this.log = element('div', {
      class: 'log',
      role: 'log',
      'aria-live': 'polite',
      'aria-label': texts.log,
      tabindex: '0',
    });
    this.older = button(texts.older, acts.older, { hidden: true });
    this.draft = element('div', { class: 'message', 'aria-hidden': 'true', hidden: true });
    this.typing = element('div', { class: 'typing', hidden: true }, [texts.typing]);
    this.choices = element('div', { class: 'choices', hidden: true });
    /** How the chat and its connection are. */
    this.notice = element('p', { class: 'notice', role: 'status', hidden: true });
    /** What has become of something that the visitor has asked for. */
    this.told = element('p', { class: 'notice', role: 'status', hidden: true });
    this.panel = element('div', { class: 'panel', hidden: true });

    this.input = element('textarea', { id: 'text', rows: '2', maxlength: '4000', autocomplete: 'off' });
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#send();
    });
    this.input.addEventListener('input', acts.typed);
    this.picker = element('input', {
      type: 'file',
      multiple: true,
      hidden: true,
      tabindex: '-1',
      accept: settings.attachments.mimeTypes.join(','),
    });
    this.picker.addEventListener('change', () => {
      acts.chosen([...(this.picker.files ?? [])]);
      this.picker.value = '';
    });
    this.attach = button('+', () => this.picker.click(), { 'aria-label': texts.attach, title: texts.attach });
    this.chips = element('div', { class: 'row', hidden: true });
    const send = element('button', { type: 'submit', class: 'main' }, [texts.send]);
    this.form = element('form', {}, [
      element('label', { for: 'text', class: 'block' }, [texts.write]),
      this.chips,
      element('div', { class: 'row' }, [this.input, this.attach, this.picker, send]),
    ]);
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send();
    });

    const title = element('h2', { id: 'title' }, [filled(texts.title, { site: settings.siteName })]);
    this.leave = button('⋯', () => this.#askToLeave(), {
      'aria-label': texts.leave,
      title: texts.leave,
      hidden: true,
    });
    this.siteName = settings.siteName;
    this.join = button(texts.join, () => this.askToJoin(), { class: 'join', hidden: true });
    const close = button('×', () => this.dialog.close(), { 'aria-label': texts.close, title: texts.close });
    this.dialog = element('dialog', { 'aria-labelledby': 'title' }, [
      element('div', { class: 'head' }, [title, this.leave, close]),
      this.log,
      this.typing,
      this.choices,
      this.notice,
      this.told,
      this.panel,
      this.form,
      this.join,
    ]);
    this.dialog.addEventListener('close', () => {
      acts.closed();
      this.launcher.focus();
    });
    // A click beside the dialog, on its backdrop, has the dialog itself as its target.
    this.dialog.addEventListener('click', (event) => {
      if (event.target !== this.dialog) return;
      const { left, right, top, bottom } = this.dialog.getBoundingClientRect();
      const { clientX: x, clientY: y } = event;
      if (x < left || x > right || y < top || y > bottom) this.dialog.close();
    });
    this.greeting = settings.greeting;
    shadow.append(element('div', { class: 'root' }, [this.launcher, this.dialog]));
    this.clear();
  }

  get isOpen() {
    return this.dialog.open;
  }

  open() {
    if (this.isOpen) return;
    this.dialog.showModal();
    this.input.focus();
    this.news.hidden = true;
    this.acts.opened();
    this.#scroll();
  }

  /** Shows the beginning of a chat. */
  clear() {
    this.log.replaceChildren(this.older, this.draft);
    this.older.hidden = true;
    this.draft.hidden = true;
    this.typing.hidden = true;
    this.leave.hidden = true;
    this.join.hidden = true;
    this.tell('');
    this.setChoices([]);
    this.hidePanel();
    this.setBegun(false);
    if (this.greeting === null) return;
    const text = element('div', { class: 'body' }, [element('p', {}, [this.greeting])]);
    this.draft.before(element('div', { class: 'message' }, [this.#author('agent'), text]));
  }

  /** @param {boolean} begun whether there are messages: files can be sent then */
  setBegun(begun) {
    this.attach.disabled = !begun;
    this.attach.title = begun ? this.texts.attach : this.texts.attachLater;
    this.leave.hidden = !begun;
  }

  /** @param {Message} message @param {'sending' | undefined} [state] */
  show(message, state) {
    const made = element('div', {
      class: `message${message.role === 'user' ? ' own' : ''}`,
      'data-id': message.id,
    });
    if (state !== undefined) made.classList.add(state);
    const body = element('div', { class: 'body' }, this.#bodyOf(message));
    const files = message.files.map(({ filename }) => element('span', { class: 'file' }, [`📎 ${filename}`]));
    made.append(this.#author(message.author), body, ...files);
    const shown = this.#find(message.id);
    if (shown !== null) shown.replaceWith(made);
    else this.draft.before(made);
    this.#scroll();
  }

  /**
   * Shows messages, and behind them what is newer: it may have come before them.
   * @param {readonly Message[]} messages oldest first
   * @returns {boolean} whether there is something newer
   */
  showHistory(messages) {
    for (const message of messages) this.show(message);
    const known = new Set(messages.map(({ id }) => id));
    const shown = [.../** @type {NodeListOf<HTMLElement>} */ (this.log.querySelectorAll('[data-id]'))];
    const newer = shown.filter(({ dataset }) => !known.has(dataset.id ?? ''));
    const ordered = [...messages.flatMap(({ id }) => this.#find(id) ?? []), ...newer];
    // Moved elements are read out again.
    if (ordered.some((one, place) => one !== shown[place])) this.draft.before(...ordered);
    this.#scroll();
    return newer.length > 0;
  }

  /** @param {readonly Message[]} messages newest first */
  showOlder(messages) {
    for (const message of messages) {
      if (this.#find(message.id) !== null) continue;
      this.show(message);
      const made = this.#find(message.id);
      if (made !== null) this.older.after(made);
    }
  }

  /** @param {string} id @param {() => void} again */
  showFailure(id, again) {
    const made = this.#find(id);
    if (made === null) return;
    made.classList.remove('sending');
    const retry = button(this.texts.again, () => {
      made.querySelector('.failure')?.remove();
      made.classList.add('sending');
      this.tell('');
      again();
    });
    made.querySelector('.failure')?.remove();
    made.append(element('div', { class: 'failure' }, [element('span', {}, [this.texts.failed]), retry]));
    this.#scroll();
  }

  /** @param {string} text of the reply that is being written; empty: there is none */
  setDraft(text) {
    this.draft.hidden = text === '';
    this.draft.replaceChildren(element('div', { class: 'body' }, blocks(text)));
    this.#scroll();
  }

  /** @param {readonly string[]} suggestions */
  setChoices(suggestions) {
    const made = suggestions.map((text) => button(text, () => this.acts.sent(text)));
    this.choices.replaceChildren(...made);
    this.choices.hidden = made.length === 0;
  }

  /** @param {string} text stays until the visitor does something else; empty: none */
  tell(text) {
    this.told.textContent = text;
    this.told.hidden = text === '';
  }

  /** @param {string} text empty: none */
  setNotice(text) {
    this.notice.textContent = text;
    this.notice.hidden = text === '';
  }

  /** @param {readonly File[]} files @param {(file: File) => void} remove */
  setFiles(files, remove) {
    const made = files.map((file) => {
      const label = filled(this.texts.remove, { name: file.name });
      return button(`${file.name} ×`, () => remove(file), { 'aria-label': label });
    });
    this.chips.replaceChildren(...made);
    this.chips.hidden = made.length === 0;
  }

  hidePanel() {
    this.panel.hidden = true;
    this.panel.replaceChildren();
  }

  /** Asks how the chat was, and offers another. @param {boolean} ask whether there is an answer to rate */
  showConcluded(ask) {
    if (!this.panel.hidden) return;
    const { texts } = this;
    const again = button(texts.newChat, this.acts.renewed, { class: 'main' });
    this.panel.hidden = false;
    if (!ask) {
      this.panel.replaceChildren(again);
      return;
    }
    const { parts, chosen } = this.#askForRating(texts.done, () => {
      submit.hidden = false;
    });
    const submit = button(
      texts.rate,
      async () => {
        const given = chosen();
        if (given === undefined) return;
        submit.disabled = true;
        await this.acts.rated(given.rating, given.comment).then(
          () => {
            this.panel.replaceChildren(element('p', { role: 'status' }, [texts.thanks]), again);
            again.focus();
          },
          () => {
            submit.disabled = false;
          },
        );
      },
      { hidden: true },
    );
    this.panel.replaceChildren(...parts, element('div', { class: 'row' }, [submit, again]));
  }

  /**
   * @param {string} asked
   * @param {() => void} [onChosen]
   * @returns {{ parts: HTMLElement[], chosen: () => Rating | undefined }}
   */
  #askForRating(asked, onChosen) {
    const { texts } = this;
    /** @type {0 | 1 | undefined} */
    let rating;
    const comment = element('textarea', { id: 'comment', rows: '2', maxlength: '2000' });
    const more = element('div', { hidden: true }, [
      element('label', { for: 'comment', class: 'block' }, [texts.comment]),
      comment,
    ]);
    const choose = (/** @type {0 | 1} */ value) => () => {
      rating = value;
      yes.setAttribute('aria-pressed', String(value === 1));
      no.setAttribute('aria-pressed', String(value === 0));
      more.hidden = false;
      onChosen?.();
    };
    const yes = button(texts.yes, choose(1), { 'aria-pressed': 'false' });
    const no = button(texts.no, choose(0), { 'aria-pressed': 'false' });
    const question = element('div', { id: 'question' }, [asked]);
    const answers = element('div', { class: 'row', role: 'group', 'aria-labelledby': 'question' }, [yes, no]);
    return {
      parts: [question, answers, more],
      chosen: () => (rating === undefined ? undefined : { rating, comment: comment.value.trim() }),
    };
  }

  #askToLeave() {
    const { texts } = this;
    const asked = this.acts.canRate() ? this.#askForRating(texts.helpful) : undefined;
    const end = button(texts.leaveYes, () => this.acts.ended(asked?.chosen()), { class: 'main' });
    this.#ask(texts.leaveSure, asked?.parts ?? [], [end, this.#back(texts.leaveNo, this.leave)]);
  }

  /** Asks whether to sign up: nobody becomes a member by a link. */
  askToJoin() {
    const { texts } = this;
    const yes = button(texts.joinYes, this.acts.joined, { class: 'main' });
    const question = filled(texts.joinAsk, { site: this.siteName });
    this.#ask(question, [], [yes, this.#back(texts.joinNo, this.join)]);
  }

  /** @param {string} question @param {HTMLElement[]} parts @param {HTMLButtonElement[]} buttons */
  #ask(question, parts, buttons) {
    const row = element('div', { class: 'row' }, buttons);
    this.panel.hidden = false;
    this.panel.replaceChildren(element('div', { role: 'alert' }, [question]), ...parts, row);
    buttons[0]?.focus();
  }

  /** @param {string} text @param {HTMLElement} to where the focus goes back to */
  #back(text, to) {
    return button(text, () => {
      this.hidePanel();
      to.focus();
    });
  }

  #send() {
    const { value } = this.input;
    this.tell('');
    this.acts.sent(value);
    this.input.focus();
  }

  /** @param {Message} message */
  #bodyOf({ text, author }) {
    if (author === 'agent') return blocks(text);
    return text === '' ? [] : [element('p', {}, [text])];
  }

  /** @param {Message['author']} author */
  #author(author) {
    const { you, agent, person } = this.texts;
    return element('span', { class: 'author' }, [`${{ visitor: you, agent, person }[author]}: `]);
  }

  /** @param {string} id @returns {HTMLElement | null} */
  #find(id) {
    return this.log.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  #scroll() {
    this.log.scrollTop = this.log.scrollHeight;
  }
}
