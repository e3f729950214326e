import { button, element, icon, iconButton } from './elements.js';
import { fileOf } from './files.js';
import { nodesOf } from './markdown.js';
import { filled } from './texts.js';

/** @typedef {import('./visit.js').Message} Message */
/** @typedef {Pick<Message, 'author' | 'text'> & Partial<Message>} Shown what of a message is seen */
/** @typedef {import('./visit.js').Settings} Settings */
/** @typedef {import('./texts.js').Texts} Texts */
/** @typedef {import('./view.js').Acts} Acts */

/** Messages of one author within it have one time. */
const groupMs = 300_000;
const dayMs = 86_400_000;

/** What was said, with who said it and when. Its end stays in view, whatever opens below it, unless the visitor reads above. */
export class Log {
  #isAtEnd = true;
  #top = 0;

  /** @param {{ settings: Settings, texts: Texts, locale: string, acts: Acts }} made */
  constructor({ settings, texts, locale, acts }) {
    this.texts = texts;
    this.locale = locale;
    this.acts = acts;
    this.settings = settings;
    this.older = button(texts.older, acts.older, { hidden: true });
    this.toEnd = iconButton('down', texts.toEnd, () => {
      this.goToEnd();
      this.box.focus();
    });
    this.toEnd.classList.add('toEnd');
    this.lines = element('div', { class: 'lines' });
    const attributes = { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': texts.log };
    this.box = element('div', { ...attributes, tabindex: '0' }, [this.lines, this.toEnd]);
    this.box.addEventListener('scroll', () => {
      const { scrollTop, scrollHeight, clientHeight } = this.box;
      if (scrollHeight - clientHeight - scrollTop < 4) this.#isAtEnd = true;
      else if (scrollTop < this.#top) this.#isAtEnd = false;
      this.#keepEnd();
    });
    const observer = new ResizeObserver(() => this.#keepEnd());
    observer.observe(this.box);
    observer.observe(this.lines);
  }

  #keepEnd() {
    if (this.#isAtEnd) this.box.scrollTop = this.box.scrollHeight;
    this.#top = this.box.scrollTop;
    this.toEnd.hidden = this.#isAtEnd;
  }

  goToEnd() {
    this.#isAtEnd = true;
    this.#keepEnd();
  }

  /** Shows the beginning: the greeting. */
  clear() {
    const { greeting, greetingLocale } = this.settings;
    this.draft = this.#made({ author: 'agent', text: '' });
    this.draft.setAttribute('aria-hidden', 'true');
    this.draft.hidden = true;
    this.greeting = this.#made({ author: 'agent', text: greeting ?? '' });
    this.greeting.lang = greetingLocale;
    this.greeting.hidden = greeting === null;
    this.older.hidden = true;
    this.lines.replaceChildren(this.older, this.greeting, this.draft);
    this.goToEnd();
  }

  /** The chat begins earlier, or what it begins with is not known yet. @param {boolean} isShown */
  showGreeting(isShown) {
    if (this.greeting !== undefined) this.greeting.hidden = !isShown || this.settings.greeting === null;
  }

  /** @param {Shown & { id: string }} message @param {boolean} [isSending] whether the service does not have it yet */
  show(message, isSending = false) {
    const made = this.#made(message);
    if (isSending) this.#state(made, this.texts.sending).classList.add('sending');
    const shown = this.#find(message.id);
    if (shown !== undefined) shown.replaceWith(made);
    else this.draft?.before(made);
    this.#arrange();
    if (isSending) this.goToEnd();
  }

  /**
   * Shows messages, and behind them what is newer: it may have come before them.
   * @param {readonly Message[]} messages oldest first
   * @returns {boolean} whether there is something newer
   */
  showHistory(messages) {
    const before = this.#shown();
    for (const message of messages) {
      const shown = this.#find(message.id);
      // What is shown already, as it is now, is not read out again.
      if (shown?.dataset.text !== message.text || shown.classList.contains('sending')) this.show(message);
    }
    const known = new Set(messages.map(({ id }) => id));
    const newer = before.filter(({ dataset }) => !known.has(dataset.id ?? ''));
    const ordered = [...messages.flatMap(({ id }) => this.#find(id) ?? []), ...newer];
    const shown = this.#shown();
    // Moved elements are read out again.
    if (ordered.some((one, place) => one !== shown[place])) this.draft?.before(...ordered);
    this.#arrange();
    return newer.length > 0;
  }

  /** @param {readonly Message[]} messages newest first */
  showOlder(messages) {
    for (const message of messages) {
      if (this.#find(message.id) === undefined) this.greeting?.after(this.#made(message));
    }
    this.#arrange();
  }

  /** @param {string} id of a message that the service does not have @param {string} why */
  showUnsent(id, why) {
    const made = this.#find(id);
    if (made === undefined) return;
    const again = button(this.texts.again, () => {
      this.#state(made, this.texts.sending);
      this.acts.again(id);
      this.box.focus();
    });
    this.#state(made, why).children[4]?.append(again);
  }

  /** Says who answers from now on, unless it has been seen. @param {boolean} isAgent @param {boolean} isAwaited whether nobody does yet */
  reportWhoAnswers(isAgent, isAwaited) {
    const [said, from] = isAgent ? ['agent', 'person'] : ['person', 'agent'];
    if (this.#said() !== from || (!isAgent && isAwaited)) return;
    const text = isAgent ? this.texts.givenBack : this.texts.takenOver;
    this.draft?.before(element('p', { class: 'line', 'data-author': said }, [text]));
    this.#arrange();
  }

  /** @param {string} text of the reply that is being written; empty: there is none */
  setDraft(text) {
    if (this.draft === undefined) return;
    this.draft.hidden = text === '';
    this.draft.children[3]?.replaceChildren(...nodesOf(text));
    this.#arrange();
  }

  /** Day, line of who has taken over or given back, author, body and time, of which those are shown that say something new. @param {Shown} message */
  #made({ id, author, authorName = null, text, files = [], createdAt = '' }) {
    const { texts } = this;
    const name = {
      visitor: texts.you,
      agent: texts.agent,
      person: authorName === null ? texts.person : filled(texts.personNamed, { name: authorName }),
    }[author];
    const change =
      author === 'agent'
        ? texts.givenBack
        : authorName === null
          ? texts.takenOver
          : filled(texts.takenOverBy, { name: authorName });
    const said = author === 'visitor' ? (text === '' ? [] : [element('p', {}, [text])]) : nodesOf(text);
    const at = createdAt === '' ? undefined : new Date(createdAt);
    const time = at?.toLocaleTimeString(this.locale, { hour: '2-digit', minute: '2-digit' }) ?? '';
    return element(
      'div',
      {
        class: `message ${author === 'visitor' ? 'own' : author}`,
        'data-id': id,
        'data-author': author,
        'data-who': author + name,
        'data-at': createdAt || undefined,
        'data-text': text,
      },
      [
        element('p', { class: 'line day', hidden: true }),
        element('p', { class: 'line', hidden: true }, [change]),
        element('p', { class: 'author' }, [...(author === 'visitor' ? [] : [icon(author)]), name]),
        element('div', { class: 'body' }, [...said, ...files.map((file) => fileOf(file, this))]),
        element('p', { class: 'meta' }, [element('time', { datetime: createdAt }, [time])]),
      ],
    );
  }

  /** Shows days, changes of who answers, authors and times where they are news. */
  #arrange() {
    let [day, who, said, last] = ['', '', '', 0];
    /** @type {HTMLElement | undefined} */
    let before;
    for (const one of /** @type {Iterable<HTMLElement>} */ (this.lines.children)) {
      const { author, at } = one.dataset;
      if (author === undefined || one.hidden) continue;
      if (one.classList.contains('line')) {
        [who, said] = ['', author];
        continue;
      }
      const [dayLine, line, name] = /** @type {HTMLElement[]} */ ([...one.children]);
      const date = at === undefined ? day : this.#dayOf(new Date(at));
      const isNewDay = date !== day;
      const isChange = author !== 'visitor' && said !== '' && said !== author;
      const begins = isNewDay || isChange || one.dataset.who !== who;
      const time = at === undefined ? last : Date.parse(at);
      if (dayLine !== undefined && dayLine.textContent !== date) dayLine.textContent = date;
      dayLine?.toggleAttribute('hidden', !isNewDay);
      line?.toggleAttribute('hidden', !isChange);
      name?.classList.toggle('unseen', !begins || author === 'visitor');
      one.classList.toggle('begins', begins);
      if (before !== undefined) this.#showTime(before, begins || time - last > groupMs);
      [day, who, last, before] = [date, one.dataset.who ?? '', time, one];
      if (author !== 'visitor') said = author;
    }
    if (before !== undefined) this.#showTime(before, true);
  }

  /** @param {HTMLElement} one @param {boolean} isShown what is not sent yet always says so */
  #showTime(one, isShown) {
    const isSaid = one.dataset.at !== undefined && (isShown || one.classList.contains('unsent'));
    one.children[4]?.toggleAttribute('hidden', !isSaid);
  }

  /** @param {Date} date */
  #dayOf(date) {
    const midnight = (/** @type {Date} */ of) => new Date(of).setHours(0, 0, 0, 0);
    const days = Math.round((midnight(date) - midnight(new Date())) / dayMs);
    const words = new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto' }).format(days, 'day');
    if (days === 0 || days === -1) return words.charAt(0).toLocaleUpperCase(this.locale) + words.slice(1);
    return date.toLocaleDateString(this.locale, { weekday: 'long', day: 'numeric', month: 'long' });
  }

  /** Who has answered last, as far as it is seen; empty: nobody. */
  #said() {
    const all = [...this.lines.querySelectorAll('[data-author]:not([data-author="visitor"], [hidden])')];
    return /** @type {HTMLElement | undefined} */ (all.at(-1))?.dataset.author ?? '';
  }

  /** What is said instead of the time. @param {HTMLElement} made @param {string} text */
  #state(made, text) {
    made.classList.remove('sending');
    made.classList.add('unsent');
    made.children[4]?.replaceChildren(text);
    made.children[4]?.removeAttribute('hidden');
    return made;
  }

  #shown() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.lines.querySelectorAll('[data-id]'))];
  }

  /** @param {string} id */
  #find(id) {
    return this.#shown().find(({ dataset }) => dataset.id === id);
  }
}
