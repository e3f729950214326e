import { Outbox } from './outbox.js';
import { Stream } from './stream.js';
import { duration, filled, languageOf, textsIn } from './texts.js';
import { View } from './view.js';
import { newId, Refused, Visit } from './visit.js';

/** @typedef {import('./visit.js').Message} Message */
/** @typedef {import('./visit.js').Settings} Settings */
/** @typedef {import('./outbox.js').Unsent} Unsent */

const notOffered = 'chat_not_offered';
const typingEveryMs = 3_000;
const typingLastsMs = 10_000;
const draftLastsMs = 30_000;
const historyAgainMs = 3_000;
/** What was typed and not sent, on a computer that others use as well. */
const typedLastsMs = 3_600_000;
/** Messages that are shown at once on the next page of the tab. */
const mostRecent = 20;

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
  /** Whether the agent is to answer. */
  #agentAnswers = false;
  /** The chat whose history was read. @type {string | undefined} */
  #historyOf;
  #beginsAnew = false;
  #shownCount = 0;
  #isOnline = true;
  /** Whether the chat that is kept here has yet to be read. */
  #isLoading = false;
  /** The newest messages, oldest first. @type {Message[]} */
  #recent = [];
  #typedAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typingTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #draftTimer;

  /**
   * @param {Visit} visit @param {Settings} settings
   * @param {{ language: string, locale: string, texts: import('./texts.js').Texts }} words
   */
  constructor(visit, settings, words) {
    this.visit = visit;
    this.settings = settings;
    this.texts = words.texts;
    this.openKey = `${visit.key}:open`;
    this.recentKey = `${visit.key}:recent`;
    this.typedKey = `${visit.key}:typed`;
    this.view = new View({
      settings,
      ...words,
      id: `wes-chat-${visit.key.slice('wes-chat:'.length)}`,
      acts: {
        opened: () => this.#resume(),
        closed: () => visit.tab.set(this.openKey, null),
        sent: (text) => this.#send(text),
        typed: (text) => this.#type(text),
        chosen: (files) => this.#choose(files),
        older: () => this.#loadOlder(),
        again: (id) => this.outbox.again(id),
        ended: () => this.#end(),
        renewed: () => this.#renew(),
        rated: (rating, comment) => this.#rate(rating, comment),
        canRate: () => this.#lastAnswer !== undefined,
        canJoin: () => this.#canJoin(),
        joined: () => this.#join(),
        read: async ({ id }) => visit.read(id ?? 0),
      },
    });
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
    const { stored } = this.visit;
    const typed = stored.read(this.typedKey);
    if (typed?.at > Date.now() - typedLastsMs) this.view.input.value = typed.text;
    else stored.set(this.typedKey, null);
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
    const kept = this.visit.tab.read(this.recentKey);
    this.#isLoading = true;
    this.view.log.showGreeting(false);
    this.view.setBegun(true);
    if (kept?.chat === this.visit.chat && this.#recent.length === 0) {
      this.#recent = kept.messages;
      this.view.log.showHistory(kept.messages);
    }
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
      const oldestFirst = messages.toReversed();
      const newer = this.#recent.filter(({ id }) => messages.every((message) => message.id !== id));
      view.log.showGreeting(!more);
      view.log.showHistory(oldestFirst);
      this.#recent = [
        ...oldestFirst,
        ...newer.filter(({ createdAt }) => createdAt > (messages[0]?.createdAt ?? '')),
      ];
      this.#keepRecent();
      const last = this.#recent.at(-1);
      view.setChoices(last?.role === 'assistant' ? last.suggestions : []);
      this.#lastAnswer = this.#recent.findLast(({ role }) => role === 'assistant')?.id;
      view.log.older.hidden = !more;
      view.log.tellWhoAnswers(chat.agentAnswers, chat.waitsForPerson);
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
      if (this.#agentAnswers && (!agentAnswers || (waitsForPerson && !this.#waits))) this.#setTyping(false);
      this.#waits = waitsForPerson;
      this.#agentAnswers = agentAnswers;
      this.#isOfAccount = ofAccount;
      if (this.#historyOf === uuid) {
        if (this.#isLoading) return;
        this.#setConcluded(concluded);
        this.view.log.tellWhoAnswers(agentAnswers, waitsForPerson);
      } else {
        this.#historyOf = uuid;
        void this.#loadHistory(uuid);
      }
      this.#showState();
    } else if (event === 'message') {
      if (data.reply !== undefined && this.#isDraft(data.reply)) this.#setDraft(undefined);
      const isKnown = this.#recent.some(({ id }) => id === data.message.id);
      this.#show(data.message);
      if (data.message.role === 'user') this.outbox.drop(data.message.id);
      else {
        this.#setTyping(false);
        if (!isKnown) this.view.noteNews();
      }
    } else if (event === 'concluded') this.#setConcluded(true);
    else if (event === 'typing') this.#setTyping(data.active);
    else if (event === 'reply.delta') this.#addToDraft(data);
    else if (event === 'reply.dropped' && this.#isDraft(data)) this.#setDraft(undefined);
  }

  /** @param {Message} message @param {Message} [shown] with what only this page has */
  #show(message, shown = message) {
    this.view.log.show(shown);
    const place = this.#recent.findIndex(({ id }) => id === message.id);
    this.#recent.splice(place === -1 ? this.#recent.length : place, 1, message);
    this.#keepRecent();
    if (message.role === 'assistant') this.#lastAnswer = message.id;
    this.view.setChoices(message.role === 'assistant' ? message.suggestions : []);
  }

  #keepRecent() {
    const kept = { chat: this.visit.chat, messages: this.#recent.slice(-mostRecent) };
    this.visit.tab.set(this.recentKey, JSON.stringify(kept));
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
    this.view.log.setDraft(draft?.text ?? '');
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
    this.visit.stored.set(this.typedKey, null);
    this.#setFiles([]);
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
      message.uploaded.push(await this.#upload(file));
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

  /** @param {File} file */
  async #upload(file) {
    try {
      return (await this.visit.upload(file)).id;
    } catch (error) {
      if (
        error instanceof Refused &&
        [400, 409, 413, 415].includes(error.status) &&
        error.code !== notOffered
      ) {
        const text = error.status === 415 ? this.texts.wrongKind : this.texts.uploadFailed;
        throw new Refused(0, filled(text, { name: file.name }), 0);
      }
      throw error;
    }
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
    this.#setDraft(undefined);
    this.#setFiles([]);
    this.#lastAnswer = undefined;
    this.#isConcluded = false;
    this.#isOfAccount = false;
    this.#isLoading = false;
    this.#waits = false;
    this.#agentAnswers = false;
    this.#historyOf = undefined;
    this.#shownCount = 0;
    this.#recent = [];
    this.visit.tab.set(this.recentKey, null);
    this.view.clear();
    this.#showState();
  }

  async #end() {
    const ending = this.visit.end();
    this.#forget('');
    this.#type('');
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
    if (this.#lastAnswer === undefined) return;
    try {
      await this.visit.rate(this.#lastAnswer, { rating, ...(comment === '' ? {} : { comment }) });
    } catch (error) {
      if (error instanceof Refused) this.#refused(error);
      else this.view.tell(this.texts.offline);
      throw error;
    }
  }

  /** @param {string} text */
  #type(text) {
    const now = Date.now();
    const kept = text === '' ? null : JSON.stringify({ text, at: now });
    this.visit.stored.set(this.typedKey, kept);
    if (kept === null) return;
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
}

/** How days and times are written. @param {string} language @param {readonly string[]} locales */
function localeIn(language, locales) {
  try {
    return (
      Intl.getCanonicalLocales(locales.find((one) => one.toLowerCase().startsWith(language)))[0] ?? language
    );
  } catch {
    return language;
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
    const { lang } = document.documentElement;
    const visit = new Visit(base, workspace, site, lang);
    try {
      const settings = await visit.settings();
      if (!settings.offered && visit.token === null) continue;
      const locales = [lang, settings.locale].filter((locale) => locale !== '');
      const language = languageOf(locales);
      const locale = localeIn(language, locales);
      new SiteChat(visit, settings, { language, locale, texts: await textsIn(language) }).show();
    } catch (error) {
      // Without the service the page is as it would be without a chat.
      reportError(error);
    }
  }
}

void start();
