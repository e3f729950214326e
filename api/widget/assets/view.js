import { button, element, iconButton } from './elements.js';
import { Log } from './log.js';
import { styleSheet } from './styles.js';
import { filled } from './texts.js';

/** @typedef {import('./visit.js').Message} Message */
/** @typedef {import('./visit.js').SentFile} SentFile */
/** @typedef {import('./visit.js').Settings} Settings */
/** @typedef {import('./texts.js').Texts} Texts */

/**
 * What the controller is told of, and asked. @typedef {{ opened: () => void, closed: () => void, sent: (text: string) => void,
 *   typed: (text: string) => void, chosen: (files: File[]) => void, older: () => void, again: (id: string) => void,
 *   ended: () => void, renewed: () => void, canRate: () => boolean, canJoin: () => boolean, joined: () => void,
 *   rated: (rating: 0 | 1, comment: string) => Promise<void>, read: (file: SentFile) => Promise<Blob> }} Acts
 */

/** Where the chat stands beside the page; on narrower ones it covers it. */
const besidePage = '(min-width: 640px)';

/** The button and the dialog of the chat, in a shadow tree that the page does not style. */
export class View {
  #wide = matchMedia(besidePage);
  #news = 0;

  /**
   * @param {{ settings: Settings, texts: Texts, language: string, locale: string, acts: Acts, id: string }} made
   */
  constructor({ settings, texts, language, locale, acts, id }) {
    this.texts = texts;
    this.acts = acts;
    this.siteName = settings.siteName;
    this.host = element('div', { id, lang: language });
    const shadow = this.host.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [styleSheet(settings)];

    this.news = element('span', { class: 'news', hidden: true });
    this.launcher = button(texts.open, () => this.open(), {
      class: 'launcher main',
      'aria-haspopup': 'dialog',
    });
    this.launcher.append(this.news);

    this.log = new Log({ settings, texts, locale, acts });
    this.typing = element('div', { class: 'typing', hidden: true }, [
      element(
        'span',
        { class: 'dots', 'aria-hidden': 'true' },
        [1, 2, 3].map(() => element('i')),
      ),
      texts.typing,
    ]);
    this.choices = element('div', { class: 'choices', hidden: true });
    /** How the chat and its connection are. */
    this.notice = element('p', { hidden: true });
    /** What has become of something that the visitor has asked for. */
    this.told = element('p', { hidden: true });
    this.panel = element('div', { class: 'panel', role: 'group', 'aria-labelledby': 'asked', hidden: true });

    this.input = element('textarea', { id: 'text', rows: '2', maxlength: '4000', autocomplete: 'off' });
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#send();
    });
    this.input.addEventListener('input', () => acts.typed(this.input.value));
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
    this.chips = element('div', { class: 'row', hidden: true });
    const attach = iconButton('attach', texts.attach, () => this.picker.click());
    const send = element('button', { type: 'submit', class: 'main' }, [texts.send]);
    this.form = element('form', {}, [
      element('label', { for: 'text', class: 'block' }, [texts.write]),
      this.chips,
      element('div', { class: 'row' }, [this.input, attach, this.picker, send]),
    ]);
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send();
    });

    const title = element('h2', { id: 'title' }, [filled(texts.title, { site: settings.siteName })]);
    this.menu = element('div', { class: 'menu', id: 'menu', hidden: true });
    this.more = iconButton('more', texts.more, () =>
      this.menu.hidden ? this.#showMenu() : this.#hideMenu(),
    );
    this.more.setAttribute('aria-controls', 'menu');
    this.more.setAttribute('aria-expanded', 'false');
    const close = iconButton('close', texts.close, () => this.#close());
    this.dialog = element('dialog', { 'aria-labelledby': 'title' }, [
      element('div', { class: 'head' }, [title, this.more, close, this.menu]),
      this.log.box,
      this.typing,
      this.choices,
      element('div', { class: 'status', role: 'status' }, [this.notice, this.told]),
      this.panel,
      this.form,
    ]);
    this.#listen();
    shadow.append(element('div', { class: 'root' }, [this.launcher, this.dialog]));
    this.clear();
  }

  #listen() {
    const { acts, dialog } = this;
    dialog.addEventListener('close', () => {
      // On its way from the whole page to a place beside it, or back.
      if (dialog.open) return;
      this.#close();
      acts.closed();
    });
    dialog.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (this.menu.hidden) this.#close();
      else {
        this.#hideMenu();
        this.more.focus();
      }
    });
    dialog.addEventListener('click', (event) => {
      const isOfMenu = event.composedPath().some((one) => one === this.menu || one === this.more);
      if (!isOfMenu) this.#hideMenu();
    });
    this.menu.addEventListener('focusout', ({ relatedTarget: to }) => {
      if (to instanceof Node && to !== this.more && !this.menu.contains(to)) this.#hideMenu();
    });
    this.#wide.addEventListener('change', () => {
      if (!this.isOpen) return;
      const focused = /** @type {ShadowRoot} */ (this.host.shadowRoot).activeElement;
      dialog.close();
      this.#showDialog(focused !== null);
      if (focused instanceof HTMLElement) focused.focus();
    });
  }

  get isOpen() {
    return this.dialog.open;
  }

  /** Whether the page can be used while the chat is open. */
  get isBeside() {
    return this.#wide.matches;
  }

  /** @param {boolean} [isAsked] false: the page has just begun, and keeps the focus */
  open(isAsked = true) {
    if (this.isOpen) return;
    this.#showDialog(isAsked);
    this.launcher.hidden = true;
    if (isAsked) this.input.focus();
    this.#setNews(0);
    this.acts.opened();
    this.log.goToEnd();
  }

  #close() {
    this.dialog.close();
    this.launcher.hidden = false;
    this.launcher.focus();
  }

  /** @param {boolean} takesFocus */
  #showDialog(takesFocus) {
    if (!this.isBeside) this.dialog.showModal();
    else if (takesFocus) this.dialog.show();
    // `show` would move the focus.
    else this.dialog.open = true;
  }

  /** Shows the beginning of a chat. */
  clear() {
    this.log.clear();
    this.typing.hidden = true;
    this.tell('');
    this.setChoices([]);
    this.hidePanel();
    this.setBegun(false);
    this.#setNews(0);
  }

  /** @param {boolean} begun whether there are messages */
  setBegun(begun) {
    this.more.hidden = !begun;
    if (!begun) this.#hideMenu();
  }

  /** Something has been answered while the chat is closed. */
  recordNews() {
    if (!this.isOpen) this.#setNews(this.#news + 1);
  }

  /** @param {number} count */
  #setNews(count) {
    const title = document.title.replace(`(${this.#news}) `, '');
    if (count !== this.#news) document.title = count === 0 ? title : `(${count}) ${title}`;
    this.#news = count;
    this.news.hidden = count === 0;
    this.news.replaceChildren(
      element('span', { class: 'unseen' }, [` ${filled(this.texts.news, { n: count })}`]),
      element('span', { 'aria-hidden': 'true' }, [String(count)]),
    );
  }

  /** @param {readonly string[]} suggestions */
  setChoices(suggestions) {
    const made = suggestions.map((text) =>
      button(text, () => {
        this.input.focus();
        this.acts.sent(text);
      }),
    );
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
    if (this.notice.textContent !== text) this.notice.textContent = text;
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

  #showMenu() {
    const { acts, menu, more, texts } = this;
    const items = [
      ...(acts.canRate() ? [button(texts.rateIt, () => this.#askToRate())] : []),
      ...(acts.canJoin() ? [button(texts.join, () => this.askToJoin())] : []),
      button(texts.leave, () => this.#askToLeave()),
    ];
    menu.replaceChildren(...items);
    menu.hidden = false;
    more.setAttribute('aria-expanded', 'true');
    items[0]?.focus();
  }

  #hideMenu() {
    this.menu.hidden = true;
    this.more.setAttribute('aria-expanded', 'false');
  }

  hidePanel() {
    this.panel.hidden = true;
    this.panel.replaceChildren();
    this.form.hidden = false;
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
    this.panel.replaceChildren(
      ...this.#rating(texts.done, again, () => {
        this.panel.replaceChildren(again);
        again.focus();
      }),
    );
  }

  #askToRate() {
    const back = this.#back(this.texts.back);
    const parts = this.#rating(this.texts.helpful, back, () => {
      this.hidePanel();
      this.input.focus();
    });
    this.#ask(parts);
    this.panel.querySelector('button')?.focus();
  }

  /**
   * @param {string} asked @param {HTMLButtonElement} other what can be done instead
   * @param {() => void} done
   * @returns {HTMLElement[]}
   */
  #rating(asked, other, done) {
    const { texts } = this;
    /** @type {0 | 1 | undefined} */
    let rating;
    const comment = element('textarea', { id: 'comment', rows: '2', maxlength: '2000' });
    const more = element('div', { hidden: true }, [
      element('label', { for: 'comment', class: 'block' }, [texts.comment]),
      comment,
    ]);
    const submit = button(
      texts.rate,
      async () => {
        if (rating === undefined) return;
        submit.disabled = true;
        try {
          await this.acts.rated(rating, comment.value.trim());
          done();
          this.tell(texts.thanks);
        } catch {
          submit.disabled = false;
        }
      },
      { hidden: true },
    );
    const choose = (/** @type {0 | 1} */ value) => () => {
      rating = value;
      yes.setAttribute('aria-pressed', String(value === 1));
      no.setAttribute('aria-pressed', String(value === 0));
      more.hidden = false;
      submit.hidden = false;
    };
    const yes = button(texts.yes, choose(1), { 'aria-pressed': 'false' });
    const no = button(texts.no, choose(0), { 'aria-pressed': 'false' });
    return [
      this.#question(asked),
      element('div', { class: 'row' }, [yes, no]),
      more,
      element('div', { class: 'row' }, [submit, other]),
    ];
  }

  #askToLeave() {
    const { texts } = this;
    const end = button(texts.leaveYes, () => this.acts.ended());
    this.#askFor(texts.leaveSure, [this.#back(texts.leaveNo, 'main'), end]);
  }

  /** Asks whether to sign up: nobody becomes a member by a link. */
  askToJoin() {
    const { texts } = this;
    const yes = button(texts.joinYes, this.acts.joined, { class: 'main' });
    this.#askFor(filled(texts.joinAsk, { site: this.siteName }), [yes, this.#back(texts.joinNo)]);
  }

  /** @param {string} question @param {HTMLButtonElement[]} buttons */
  #askFor(question, buttons) {
    this.#ask([this.#question(question), element('div', { class: 'row' }, buttons)]);
    buttons[0]?.focus();
  }

  /** Asks one thing: nothing else can be filled in meanwhile. @param {HTMLElement[]} parts */
  #ask(parts) {
    this.#hideMenu();
    this.tell('');
    this.form.hidden = true;
    this.panel.hidden = false;
    this.panel.replaceChildren(...parts);
  }

  /** @param {string} text */
  #question(text) {
    return element('div', { id: 'asked' }, [text]);
  }

  /** @param {string} text @param {string} [kind] */
  #back(text, kind) {
    return button(
      text,
      () => {
        this.hidePanel();
        this.more.focus();
      },
      { class: kind },
    );
  }

  #send() {
    const { value } = this.input;
    this.tell('');
    this.acts.sent(value);
    this.input.focus();
  }
}
