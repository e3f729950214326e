import { Attachments } from './attachments.js';
import { Draft } from './draft.js';
import { Outbox } from './outbox.js';
import { Recent } from './recent.js';
import { Stream } from './stream.js';
import { duration, filled } from './texts.js';
import { Typed } from './typed.js';
import { View } from './view.js';
import { newId, notOffered, Refused } from './visit.js';

/** @typedef {import('./visit.js').Message} Message */
/** @typedef {import('./visit.js').Settings} Settings */
/** @typedef {import('./visit.js').Visit} Visit */
/** @typedef {import('./outbox.js').Unsent} Unsent */

const historyAgainMs = 3_000;

/** The chat of one site on this page. */
export class SiteChat {
  #isConcluded = false;
  /** Whether the chat is that of an account. */
  #isOfAccount = false;
  /** Whether a person of the team is to answer. */
  #waits = false;
  /** Whether the agent is to answer. */
  #agentAnswers = false;
  /** The chat whose history was read. @type {string | undefined} */
  #historyOf;
  #beginsAnew = false;
  #shownCount = 0;
  #isOnline = true;
  /** Whether the chat that is kept here has yet to be read. */
  #isLoading = false;

  /**
   * @param {Visit} visit @param {Settings} settings
   * @param {{ language: string, locale: string, texts: import('./texts.js').Texts }} words
   */
  constructor(visit, settings, words) {
    this.visit = visit;
    this.settings = settings;
    this.texts = words.texts;
    this.openKey = `${visit.key}:open`;
    this.recent = new Recent(visit);
    this.typed = new Typed(visit);
    this.view = new View({
      settings,
      ...words,
      id: `wes-chat-${visit.key.slice('wes-chat:'.length)}`,
      acts: {
        opened: () => this.#resume(),
        closed: () => visit.tab.set(this.openKey, null),
        sent: (text) => this.#send(text),
        typed: (text) => this.typed.keep(text, this.stream.isOpen),
        chosen: (files) => this.attachments.choose(files),
        older: () => this.#loadOlder(),
        again: (id) => this.outbox.again(id),
        ended: () => this.#end(),
        renewed: () => this.#renew(),
        rated: (rating, comment) => this.#rate(rating, comment),
        canRate: () => this.recent.lastAnswer !== undefined,
        canJoin: () => this.#canJoin(),
        joined: () => this.#join(),
        read: async ({ id }) => visit.read(id ?? 0),
      },
    });
    this.draft = new Draft(this.view);
    this.attachments = new Attachments(visit, this.view, words.texts, settings.attachments);
    this.outbox = new Outbox(visit, {
      deliver: (message) => this.#deliver(message),
      failed: (message, why) => this.#keep(message, why),
    });
    this.stream = new Stream(visit, {
      event: ({ event, data }) => this.#take(event, data),
      connected: (isConnected) => this.#setOnline(isConnected),
      refused: (why) => this.#refused(why),
    });
    addEventListener('offline', () => this.#setOnline(false));
    addEventListener('online', () => this.#setOnline(!this.stream.isOpen || this.#isOnline));
    // Another page of this browser has begun, or ended, the chat of both.
    addEventListener('storage', ({ key, oldValue, newValue }) => {
      if (key === visit.key && newValue === null) this.#forget('');
      if (key !== visit.chatKey || newValue === null) return;
      if (oldValue !== null) this.#goOnToAnother();
      if (this.view.isOpen) this.#resume();
    });
  }

  show() {
    const { view, visit } = this;
    document.body.append(view.host);
    this.#takeUp();
    if (visit.tab.get(this.openKey) === null) return;
    // A page that the chat would cover is shown first, unless the visitor comes back to answer a question of the chat.
    if (view.isBeside || visit.isJoining) view.open(false);
    else this.#resume();
  }

  /** What was written on an earlier page, and is neither sent nor forgotten. */
  #takeUp() {
    this.view.input.value = this.typed.takeUp();
    for (const { files, ...message } of this.outbox.kept()) {
      if (files === 0) this.#queue({ ...message, files: [] });
      else {
        this.outbox.drop(message.id);
        this.view.input.value ||= message.text;
        this.view.tell(this.texts.filesLost);
      }
    }
  }

  #resume() {
    const { settings, texts, view, visit } = this;
    visit.tab.set(this.openKey, '1');
    if (visit.token === null) {
      if (!settings.offered) view.tell(texts.closed);
    } else if (visit.chat !== null) {
      if (this.#historyOf === undefined) this.#expectHistory();
      this.stream.open();
    }
  }

  /** Shows that there is a chat, and what this tab has kept of it, until it is read. */
  #expectHistory() {
    this.#isLoading = true;
    this.view.log.showGreeting(false);
    this.view.setBegun(true);
    const kept = this.recent.takeUp();
    if (kept.length > 0) this.view.log.showHistory(kept);
    this.#showState();
  }

  /** A stream of another chat says nothing of the next one. */
  #goOnToAnother() {
    this.stream.close();
    this.#reset();
  }

  /** @param {boolean} isOnline */
  #setOnline(isOnline) {
    this.#isOnline = isOnline;
    if (isOnline && this.stream.isOpen) void this.outbox.send();
    this.#showState();
  }

  /** How the chat and its connection are: what matters most. */
  #showState() {
    const { offline, loading, waiting } = this.texts;
    const state = !this.#isOnline ? offline : this.#isLoading ? loading : this.#waits ? waiting : '';
    this.view.setNotice(state);
  }

  /** The history is read once the stream has begun, so that nothing falls between. @param {string} of its chat */
  async #loadHistory(of) {
    try {
      const { chat, messages, more } = await this.visit.messages(0);
      if (this.#historyOf !== of) return;
      this.#isLoading = false;
      if (chat === null) return;
      const { view } = this;
      const isFirst = this.#shownCount === 0;
      this.#shownCount = Math.max(this.#shownCount, messages.length);
      this.#isOfAccount = chat.ofAccount;
      if (messages.length > 0) view.setBegun(true);
      view.log.showGreeting(!more);
      view.log.showHistory(messages.toReversed());
      this.recent.read(messages);
      const { last } = this.recent;
      view.setChoices(last?.role === 'assistant' ? last.suggestions : []);
      view.log.older.hidden = !more;
      view.log.reportWhoAnswers(chat.agentAnswers, chat.waitsForPerson);
      this.#setConcluded(chat.concluded);
      if (isFirst) view.log.goToEnd();
      this.#askAgainToJoin();
    } catch (error) {
      if (error instanceof Refused && error.status < 500) this.#refused(error);
      else setTimeout(() => this.#historyOf === of && this.#loadHistory(of), historyAgainMs);
    }
    this.#showState();
  }

  async #loadOlder() {
    const { messages, more } = await this.visit.messages(this.#shownCount);
    this.#shownCount += messages.length;
    this.view.log.showOlder(messages);
    this.view.log.showGreeting(!more);
    this.view.log.older.hidden = !more;
  }

  /** @param {string} event @param {any} data */
  #take(event, data) {
    // What arrives shows that the connection is good, also where nothing has noticed that it is again.
    if (!this.#isOnline) this.#setOnline(true);
    if (event === 'chat') {
      const { uuid, waitsForPerson, agentAnswers, ofAccount, concluded } = data.chat;
      // What the agent was writing never becomes an answer.
      if (this.#agentAnswers && (!agentAnswers || (waitsForPerson && !this.#waits)))
        this.draft.setTyping(false);
      this.#waits = waitsForPerson;
      this.#agentAnswers = agentAnswers;
      this.#isOfAccount = ofAccount;
      if (this.#historyOf === uuid) {
        if (this.#isLoading) return;
        this.#setConcluded(concluded);
        this.view.log.reportWhoAnswers(agentAnswers, waitsForPerson);
      } else {
        this.#historyOf = uuid;
        void this.#loadHistory(uuid);
      }
      this.#showState();
    } else if (event === 'message') {
      if (data.reply !== undefined) this.draft.drop(data.reply);
      const isKnown = this.recent.has(data.message.id);
      this.#show(data.message);
      if (data.message.role === 'user') this.outbox.drop(data.message.id);
      else {
        this.draft.setTyping(false);
        if (!isKnown) this.view.recordNews();
      }
    } else if (event === 'concluded') this.#setConcluded(true);
    else if (event === 'typing') this.draft.setTyping(data.active);
    else if (event === 'reply.delta') this.draft.add(data);
    else if (event === 'reply.dropped') this.draft.drop(data);
  }

  /** @param {Message} message @param {Message} [shown] with what only this page has */
  #show(message, shown = message) {
    this.view.log.show(shown);
    this.recent.add(message);
    this.view.setChoices(message.role === 'assistant' ? message.suggestions : []);
  }

  /** @param {boolean} concluded */
  #setConcluded(concluded) {
    if (concluded && !this.#isConcluded) this.view.showConcluded(this.recent.lastAnswer !== undefined);
    if (!concluded && this.#isConcluded) this.view.hidePanel();
    this.#isConcluded = concluded;
  }

  #canJoin() {
    return this.settings.allowSignup && this.visit.isOfService && !this.#isOfAccount;
  }

  #askAgainToJoin() {
    if (this.#canJoin() && this.visit.takeJoining()) this.view.askToJoin();
  }

  async #join() {
    const { texts, view, visit } = this;
    view.hidePanel();
    view.input.focus();
    try {
      const isOwn = await visit.join();
      this.#isOfAccount = isOwn;
      if (isOwn) {
        // What follows is read by the token of the account.
        this.stream.close();
        this.stream.open();
      }
      view.tell(isOwn ? texts.joined : texts.joinedApart);
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        visit.recordJoining();
        location.assign(`${visit.signIn}?return=${encodeURIComponent(location.pathname + location.search)}`);
      } else view.tell(error instanceof Refused ? texts.joinRefused : texts.offline);
    }
  }

  /** @param {string} text */
  #send(text) {
    const files = this.attachments.take();
    if (text.trim() === '' && files.length === 0) return;
    this.view.input.value = '';
    this.typed.forget();
    this.view.setChoices([]);
    const newChat = this.#beginsAnew;
    this.#beginsAnew = false;
    this.#queue({ id: newId(), text, at: Date.now(), files, ...(newChat ? { newChat } : {}) });
  }

  /** @param {Unsent} message */
  #queue(message) {
    const { id, text, files, at } = message;
    const sent = files.map((file) => ({ filename: file.name, mimeType: file.type, blob: file }));
    this.view.log.show(
      { id, author: 'visitor', text, files: sent, createdAt: new Date(at).toISOString() },
      true,
    );
    this.outbox.add(message);
  }

  /** @param {Unsent} message */
  async #deliver(message) {
    const { visit } = this;
    const { id, text, newChat, files } = message;
    await visit.begin();
    message.uploaded ??= [];
    for (const file of files.slice(message.uploaded.length)) {
      message.uploaded.push(await this.attachments.upload(file));
    }
    const ids = message.uploaded;
    const stored = await visit.write({
      id,
      text,
      ...(newChat ? { newChat } : {}),
      ...(ids.length > 0 ? { files: ids } : {}),
    });
    if (newChat === true || visit.chat === null) visit.chat = id;
    this.#setOnline(true);
    if (message.hasFailed) this.view.tell('');
    this.view.setBegun(true);
    const sent = stored.files.map((file, place) => ({ ...file, blob: files[place] }));
    this.#show(stored, { ...stored, files: sent });
    this.stream.open();
  }

  /** Shows that a message is not sent, and whether that goes on by itself. @param {Unsent} message @param {unknown} why */
  #keep(message, why) {
    message.hasFailed = true;
    this.view.log.showUnsent(message.id, message.stopped ? this.texts.failed : this.texts.unsent);
    if (!(why instanceof Refused)) this.#setOnline(false);
    else this.#refused(why);
  }

  /**
   * Tells it: a notice would be gone with the next one about the connection. What was written for a chat that has ended is not lost.
   * @param {Refused} why
   */
  #refused({ status, code, retryAfterSeconds }) {
    if (status === 401 || status === 403) this.view.input.value ||= this.#forget(this.texts.ended);
    else if (status === 429 || status === 503) {
      const time = duration(this.texts, Math.max(1, retryAfterSeconds));
      this.view.tell(filled(this.texts.tooMuch, { time }));
    } else if (code === notOffered || status === 404) this.view.tell(this.texts.closed);
    else if (status === 0) this.view.tell(code);
  }

  /** @param {string} told @returns {string} what was not sent */
  #forget(told) {
    const unsent = this.outbox.clear();
    this.visit.token = null;
    this.#goOnToAnother();
    this.view.tell(told);
    return unsent;
  }

  #reset() {
    this.draft.drop();
    this.attachments.take();
    this.#isConcluded = false;
    this.#isOfAccount = false;
    this.#isLoading = false;
    this.#waits = false;
    this.#agentAnswers = false;
    this.#historyOf = undefined;
    this.#shownCount = 0;
    this.recent.forget();
    this.view.clear();
    this.#showState();
  }

  async #end() {
    const ending = this.visit.end();
    this.#forget('');
    this.typed.forget();
    this.view.input.value = '';
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
    const { lastAnswer } = this.recent;
    if (lastAnswer === undefined) return;
    try {
      await this.visit.rate(lastAnswer, { rating, ...(comment === '' ? {} : { comment }) });
    } catch (error) {
      if (error instanceof Refused) this.#refused(error);
      else this.view.tell(this.texts.offline);
      throw error;
    }
  }
}
