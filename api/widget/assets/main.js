import { Stream } from './stream.js';
import { duration, filled, textsFor } from './texts.js';
import { View } from './view.js';
import { newId, Refused, Visit } from './visit.js';

/** @typedef {import('./visit.js').Message} Message */
/** @typedef {import('./visit.js').Settings} Settings */

const typingEveryMs = 3_000;
const typingLastsMs = 10_000;
const draftLastsMs = 30_000;

/** The chat of one site on this page. */
class SiteChat {
  /** @type {File[]} */
  #files = [];
  /** @type {{ turn: string, round: number, text: string } | undefined} */
  #draft;
  /** The newest answer, which a rating is about. @type {string | undefined} */
  #lastAnswer;
  #isConcluded = false;
  /** Whether the chat is that of an account. */
  #isOfAccount = false;
  /** Whether a person of the team is to answer. */
  #waits = false;
  /** The chat whose history was read. @type {string | undefined} */
  #historyOf;
  #beginsAnew = false;
  #shownCount = 0;
  #typedAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typingTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #draftTimer;
  /** Messages are sent one after the other, so that the first one begins the chat. */
  #sending = Promise.resolve();

  /** @param {Visit} visit @param {Settings} settings @param {string} language of the page */
  constructor(visit, settings, language) {
    this.visit = visit;
    this.settings = settings;
    const words = textsFor([language, settings.locale].filter((locale) => locale !== ''));
    this.texts = words.texts;
    this.view = new View({
      settings,
      ...words,
      id: `wes-chat-${visit.key.slice('wes-chat:'.length)}`,
      acts: {
        opened: () => this.#resume(),
        closed: () => this.#remember(false),
        sent: (text) => this.#send(text),
        typed: () => this.#type(),
        chosen: (files) => this.#choose(files),
        older: () => this.#loadOlder(),
        ended: (rating) => this.#end(rating),
        renewed: () => this.#renew(),
        rated: (rating, comment) => this.#rate(rating, comment),
        canRate: () => this.#lastAnswer !== undefined,
        joined: () => this.#join(),
      },
    });
    this.stream = new Stream(visit, {
      event: ({ event, data }) => this.#take(event, data),
      connected: (isConnected) => this.#showConnected(isConnected),
      refused: (why) => this.#refused(why),
    });
    // Another page of this browser has begun, or ended, the chat of both.
    addEventListener('storage', ({ key, oldValue, newValue }) => {
      if (key === visit.key && newValue === null) this.#goOnToAnother();
      if (key !== visit.chatKey || newValue === null) return;
      if (oldValue !== null) this.#goOnToAnother();
      if (this.view.isOpen) this.#resume();
    });
  }

  show() {
    document.body.append(this.view.host);
    if (this.#wasOpen()) this.view.open();
  }

  #resume() {
    this.#remember(true);
    if (this.visit.token === null) {
      if (!this.settings.offered) this.view.setNotice(this.texts.closed);
    } else if (this.visit.chat !== null) this.stream.open();
  }

  /** A stream of another chat says nothing of the next one. */
  #goOnToAnother() {
    this.stream.close();
    this.#reset();
  }

  /** @param {boolean} isConnected */
  #showConnected(isConnected) {
    this.view.setNotice(isConnected ? (this.#waits ? this.texts.waiting : '') : this.texts.offline);
  }

  /** The history is read once the stream has begun, so that nothing falls between. */
  async #loadHistory() {
    try {
      const { chat, messages, more } = await this.visit.messages(0);
      if (chat === null) return;
      this.#shownCount = Math.max(this.#shownCount, messages.length);
      this.#isOfAccount = chat.ofAccount;
      if (messages.length > 0) this.#setBegun();
      const newer = this.view.showHistory(messages.toReversed());
      // What has come by the stream meanwhile is newer, and shown as such.
      const last = messages[0];
      if (!newer && last !== undefined)
        this.view.setChoices(last.role === 'assistant' ? last.suggestions : []);
      const answer = messages.find(({ role }) => role === 'assistant');
      if (!this.#hasNewerAnswer(messages)) this.#lastAnswer = answer?.id;
      this.view.older.hidden = !more;
      this.#setConcluded(chat.concluded);
    } catch (error) {
      if (error instanceof Refused) this.#refused(error);
    }
  }

  /** Whether the last answer has come since these messages were read. @param {readonly Message[]} messages */
  #hasNewerAnswer(messages) {
    return this.#lastAnswer !== undefined && messages.every(({ id }) => id !== this.#lastAnswer);
  }

  async #loadOlder() {
    const { messages, more } = await this.visit.messages(this.#shownCount);
    this.#shownCount += messages.length;
    this.view.showOlder(messages);
    this.view.older.hidden = !more;
  }

  /** @param {string} event @param {any} data */
  #take(event, data) {
    if (event === 'chat') {
      this.#waits = data.chat.waitsForPerson;
      this.#isOfAccount = data.chat.ofAccount;
      this.#showConnected(true);
      this.#setConcluded(data.chat.concluded);
      if (this.#historyOf === data.chat.uuid) return;
      this.#historyOf = data.chat.uuid;
      void this.#loadHistory();
    } else if (event === 'message') {
      if (data.reply !== undefined && this.#isDraft(data.reply)) this.#setDraft(undefined);
      this.#show(data.message);
      if (data.message.role === 'assistant') this.#setTyping(false);
      if (!this.view.isOpen && data.message.role === 'assistant') this.view.news.hidden = false;
    } else if (event === 'concluded') this.#setConcluded(true);
    else if (event === 'typing') this.#setTyping(data.active);
    else if (event === 'reply.delta') this.#addToDraft(data);
    else if (event === 'reply.dropped' && this.#isDraft(data)) this.#setDraft(undefined);
  }

  /** @param {Message} message */
  #show(message) {
    this.view.show(message);
    if (message.role === 'assistant') this.#lastAnswer = message.id;
    this.view.setChoices(message.role === 'assistant' ? message.suggestions : []);
  }

  /** @param {{ turn: string, round: number }} reply */
  #isDraft({ turn, round }) {
    return this.#draft?.turn === turn && this.#draft.round === round;
  }

  /** @param {{ turn: string, round: number, index: number, text: string }} piece */
  #addToDraft({ turn, round, index, text }) {
    if (index === 0) this.#setDraft({ turn, round, text });
    else if (this.#draft !== undefined && this.#isDraft({ turn, round }))
      this.#setDraft({ turn, round, text: this.#draft.text + text });
  }

  /** @param {{ turn: string, round: number, text: string } | undefined} draft */
  #setDraft(draft) {
    this.#draft = draft;
    clearTimeout(this.#draftTimer);
    if (draft !== undefined) this.#draftTimer = setTimeout(() => this.#setDraft(undefined), draftLastsMs);
    this.view.setDraft(draft?.text ?? '');
    if (draft !== undefined) this.#setTyping(false);
  }

  /** @param {boolean} active */
  #setTyping(active) {
    clearTimeout(this.#typingTimer);
    this.view.typing.hidden = !active;
    if (active) this.#typingTimer = setTimeout(() => this.#setTyping(false), typingLastsMs);
  }

  /** @param {boolean} concluded */
  #setConcluded(concluded) {
    if (concluded && !this.#isConcluded) this.view.showConcluded(this.#lastAnswer !== undefined);
    if (!concluded && this.#isConcluded) this.view.hidePanel();
    this.#isConcluded = concluded;
  }

  /** Who has written can send files, and sign up where that is possible. */
  #setBegun() {
    this.view.setBegun(true);
    const { visit, settings } = this;
    this.view.join.hidden = !settings.allowSignup || !visit.isOfService || this.#isOfAccount;
    if (this.view.join.hidden || !visit.takeJoining()) return;
    this.view.askToJoin();
  }

  async #join() {
    const { texts, view, visit } = this;
    view.hidePanel();
    view.input.focus();
    try {
      const isOwn = await visit.join();
      view.join.hidden = true;
      this.#isOfAccount = isOwn;
      if (isOwn) {
        // What follows is read by the token of the account.
        this.stream.close();
        this.stream.open();
      }
      view.tell(isOwn ? texts.joined : texts.joinedApart);
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        visit.noteJoining();
        location.assign(`${visit.signIn}?return=${encodeURIComponent(location.pathname + location.search)}`);
      } else view.tell(error instanceof Refused ? texts.joinRefused : texts.offline);
    }
  }

  /** @param {string} text */
  #send(text) {
    const files = this.#files;
    if (text.trim() === '' && files.length === 0) return;
    this.view.input.value = '';
    this.#setFiles([]);
    this.view.setChoices([]);
    const newChat = this.#beginsAnew;
    this.#beginsAnew = false;
    const message = { id: newId(), text, ...(newChat ? { newChat } : {}) };
    const shown = { role: /** @type {const} */ ('user'), author: /** @type {const} */ ('visitor') };
    const names = files.map(({ name }) => ({ filename: name }));
    const rest = { files: names, suggestions: [], rating: null, createdAt: '' };
    this.view.show({ ...message, ...shown, ...rest }, 'sending');
    this.#inTurn(() => this.#deliver(message, files));
  }

  /** @param {() => Promise<void>} act */
  #inTurn(act) {
    this.#sending = this.#sending.then(act);
  }

  /** @param {{ id: string, text: string, newChat?: boolean }} message @param {File[]} files */
  async #deliver(message, files) {
    try {
      await this.visit.begin();
      const ids = [];
      for (const file of files) ids.push(await this.#upload(file));
      const stored = await this.visit.write({ ...message, ...(ids.length > 0 ? { files: ids } : {}) });
      this.#showConnected(true);
      this.#setBegun();
      this.#show(stored);
      if (message.newChat === true || this.visit.chat === null) this.visit.chat = message.id;
      this.stream.open();
    } catch (error) {
      this.view.showFailure(message.id, () => this.#inTurn(() => this.#deliver(message, files)));
      if (!(error instanceof Refused)) this.view.setNotice(this.texts.offline);
      else {
        this.#refused(error);
        // What was written for a chat that has ended is not lost.
        if (this.visit.token === null && this.view.input.value === '') this.view.input.value = message.text;
      }
    }
  }

  /** @param {File} file */
  async #upload(file) {
    try {
      return (await this.visit.upload(file)).id;
    } catch (error) {
      if (error instanceof Refused && error.status !== 401 && error.status !== 429) {
        const text = error.status === 415 ? this.texts.wrongKind : this.texts.uploadFailed;
        throw new Refused(0, filled(text, { name: file.name }), 0);
      }
      throw error;
    }
  }

  /** Tells it: a notice would be gone with the next one about the connection. @param {Refused} why */
  #refused({ status, code, retryAfterSeconds }) {
    if (status === 401 || status === 403) this.#forget(this.texts.ended);
    else if (status === 429 || status === 503) {
      const time = duration(this.texts, Math.max(1, retryAfterSeconds));
      this.view.tell(filled(this.texts.tooMuch, { time }));
    } else if (code === 'chat_not_offered' || status === 404) this.view.tell(this.texts.closed);
    else if (status === 0) this.view.tell(code);
  }

  /** @param {string} notice */
  #forget(notice) {
    this.visit.token = null;
    this.#goOnToAnother();
    this.view.setNotice(notice);
  }

  #reset() {
    this.#setDraft(undefined);
    this.#setFiles([]);
    this.#lastAnswer = undefined;
    this.#isConcluded = false;
    this.#isOfAccount = false;
    this.#waits = false;
    this.#historyOf = undefined;
    this.#shownCount = 0;
    this.view.clear();
  }

  /** @param {import('./view.js').Rating} [rating] */
  async #end(rating) {
    // It needs the token. That it fails keeps nobody here.
    if (rating !== undefined) await this.#rate(rating.rating, rating.comment).catch(() => {});
    const ending = this.visit.end();
    this.#forget('');
    this.view.input.focus();
    // The token is forgotten here in any case, and ends by itself there.
    await ending.catch(() => {});
  }

  #renew() {
    this.#goOnToAnother();
    this.#beginsAnew = true;
    this.view.input.focus();
  }

  /** @param {0 | 1} rating @param {string} comment */
  async #rate(rating, comment) {
    if (this.#lastAnswer === undefined) return;
    try {
      await this.visit.rate(this.#lastAnswer, { rating, ...(comment === '' ? {} : { comment }) });
    } catch (error) {
      if (error instanceof Refused) this.#refused(error);
      else this.view.setNotice(this.texts.offline);
      throw error;
    }
  }

  #type() {
    const now = Date.now();
    if (!this.stream.isOpen || now - this.#typedAt < typingEveryMs) return;
    this.#typedAt = now;
    this.visit.typing().catch(() => {});
  }

  /** @param {File[]} files */
  #choose(files) {
    const { maxBytes, maxFiles, mimeTypes } = this.settings.attachments;
    this.view.tell('');
    for (const file of files) {
      const refused =
        file.size > maxBytes
          ? filled(this.texts.tooLarge, { name: file.name, size: Math.floor(maxBytes / 1_048_576) })
          : !mimeTypes.includes(file.type)
            ? filled(this.texts.wrongKind, { name: file.name })
            : this.#files.length >= maxFiles
              ? filled(this.texts.tooMany, { n: maxFiles })
              : undefined;
      if (refused === undefined) this.#setFiles([...this.#files, file]);
      else this.view.tell(refused);
    }
    this.view.input.focus();
  }

  /** @param {File[]} files */
  #setFiles(files) {
    this.#files = files;
    this.view.setFiles(files, (removed) => {
      this.#setFiles(this.#files.filter((file) => file !== removed));
      this.view.input.focus();
    });
  }

  #wasOpen() {
    try {
      return sessionStorage.getItem(`${this.visit.key}:open`) === '1';
    } catch {
      return false;
    }
  }

  /** @param {boolean} isOpen */
  #remember(isOpen) {
    try {
      sessionStorage.setItem(`${this.visit.key}:open`, isOpen ? '1' : '0');
    } catch {
      return;
    }
  }
}

/** Modules have no `document.currentScript`: the tags are found by what they say. */
async function start() {
  const base = new URL('../../../api/v2', import.meta.url).href;
  const uuid = /^[0-9a-f-]{36}$/i;
  for (const tag of document.querySelectorAll('script[data-site][data-workspace]')) {
    const { site = '', workspace = '' } = /** @type {HTMLElement} */ (tag).dataset;
    if (!uuid.test(site) || !uuid.test(workspace)) continue;
    if (document.getElementById(`wes-chat-${site}`) !== null) continue;
    const visit = new Visit(base, workspace, site);
    try {
      const settings = await visit.settings();
      if (!settings.offered && visit.token === null) continue;
      new SiteChat(visit, settings, document.documentElement.lang).show();
    } catch (error) {
      // Without the service the page is as it would be without a chat.
      reportError(error);
    }
  }
}

void start();
