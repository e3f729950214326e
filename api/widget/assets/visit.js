/** A file of a message; with `id` the service has it, with `blob` this page. @typedef {{ filename: string, mimeType: string,
 *   id?: number, blob?: Blob | undefined }} SentFile */
/** What the service tells of a message. @typedef {{ id: string, role: 'user' | 'assistant',
 *   author: 'visitor' | 'agent' | 'person', authorName: string | null, text: string, files: SentFile[],
 *   suggestions: string[], rating: number | null, createdAt: string }} Message */
/** @typedef {{ uuid: string, concluded: boolean, waitsForPerson: boolean, agentAnswers: boolean, ofAccount: boolean }} Chat */
/** @typedef {import('./styles.js').Palette} Palette */
/** @typedef {{ offered: boolean, allowSignup: boolean, siteName: string, greeting: string | null, greetingLocale: string,
 *   locale: string,
 *   colorScheme: string, cornerRadius: number, light: Palette, dark: Palette,
 *   attachments: { maxBytes: number, maxFiles: number, mimeTypes: string[] } }} Settings */

const settleMs = 1_000;
/** The code of a refusal: the site has no chat, or not any more. */
export const notOffered = 'chat_not_offered';

/** The service has refused something. */
export class Refused extends Error {
  /** @param {number} status @param {string} code @param {number} retryAfterSeconds 0: not said */
  constructor(status, code, retryAfterSeconds) {
    super(code);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A random uuid; `crypto.randomUUID` is missing on pages without HTTPS. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const kept = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return kept.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** What the pages of an origin keep, or those of a tab; in a browser that gives them no storage, it lasts as long as the page. */
class Stored {
  /** @type {Record<string, string>} */
  #area = {};

  /** @param {'localStorage' | 'sessionStorage'} area */
  constructor(area) {
    try {
      this.#area = window[area] ?? {};
    } catch {
      return;
    }
  }

  /** @param {string} key @returns {string | null} */
  get(key) {
    return this.#area[key] ?? null;
  }

  /** @param {string} key @param {string | null} value null: forget it */
  set(key, value) {
    try {
      if (value === null) delete this.#area[key];
      else this.#area[key] = value;
    } catch {
      // There is no room: what is not kept is shown by this page all the same.
      return;
    }
  }

  /** @param {string} key @returns {any} undefined: nothing is kept, or nothing that can be read */
  read(key) {
    try {
      return JSON.parse(this.#area[key] ?? '');
    } catch {
      return undefined;
    }
  }

  /** @param {string} prefix */
  keys(prefix) {
    return Object.keys(this.#area).filter((key) => key.startsWith(prefix));
  }
}

/** The visit of one site: the token of this browser, and the requests that it is for. */
export class Visit {
  /** What all pages of the browser share. */
  stored = new Stored('localStorage');
  /** What is of this tab. */
  tab = new Stored('sessionStorage');

  /** Whether this page is of the service, where people sign in: on no other page anybody signs up. */
  get isOfService() {
    return new URL(this.address).origin === location.origin;
  }

  /**
   * @param {string} base such as `https://service.example/api/v2` @param {string} workspace @param {string} site
   * @param {string} locale of the page; empty: unknown
   */
  constructor(base, workspace, site, locale) {
    this.locale = locale;
    this.address = `${base}/s/${workspace}/${site}`;
    this.key = `wes-chat:${site}`;
    /** Under which all pages of the browser find which chat it is: the id of its first message. */
    this.chatKey = `${this.key}:chat`;
    /** Where people sign in. */
    this.signIn = new URL('../../sign-in', `${base}/`).href;
  }

  get token() {
    return this.stored.get(this.key);
  }

  set token(token) {
    if (token === null) this.chat = null;
    this.stored.set(this.key, token);
  }

  get chat() {
    return this.stored.get(this.chatKey);
  }

  set chat(chat) {
    this.stored.set(this.chatKey, chat);
  }

  /** @returns {Promise<Settings>} */
  settings() {
    return this.#request(
      'GET',
      this.locale === '' ? '/chat' : `/chat?locale=${encodeURIComponent(this.locale)}`,
      { token: null },
    );
  }

  /** Of two pages that begin at once, one gets the token for both. @returns {Promise<void>} */
  begin() {
    const make = async () => {
      if (this.token === null) this.token = (await this.#request('POST', '/visitors', { token: null })).token;
    };
    if (this.token !== null || navigator.locks === undefined) return make();
    return new Promise((resolve, reject) => {
      const alone = async () => {
        await make();
        resolve();
        // What one page stores, pages in other processes of the browser read a moment later.
        await new Promise((settled) => setTimeout(settled, settleMs));
      };
      navigator.locks.request(this.key, alone).catch(reject);
    });
  }

  /** Whoever is sent to sign in is asked again afterwards, in this tab. */
  recordJoining() {
    this.tab.set(`${this.key}:join`, '1');
  }

  get isJoining() {
    return this.tab.get(`${this.key}:join`) !== null;
  }

  /** Whether the visitor comes from signing in. */
  takeJoining() {
    const isNoted = this.isJoining;
    this.tab.set(`${this.key}:join`, null);
    return isNoted;
  }

  async end() {
    const { token } = this;
    this.token = null;
    if (token !== null) await this.#request('DELETE', '/visitors/current', { token });
  }

  /** @param {number} offset @returns {Promise<{ chat: Chat | null, messages: Message[], more: boolean }>} */
  messages(offset) {
    return this.#request('GET', `/chat/messages?limit=50&offset=${offset}`);
  }

  /** @param {{ id: string, text: string, files?: number[], newChat?: boolean }} message @returns {Promise<Message>} */
  write(message) {
    const { locale } = this;
    return this.#request('POST', '/chat/messages', { json: { ...message, ...(locale && { locale }) } });
  }

  /** @param {File} file @returns {Promise<{ id: number }>} */
  upload(file) {
    const form = new FormData();
    if (this.locale !== '') form.append('locale', this.locale);
    form.append('file', file, file.name);
    return this.#request('POST', '/chat/files', { form });
  }

  /** @param {number} id of a file of a message @returns {Promise<Blob>} */
  read(id) {
    return this.#request('GET', `/chat/files/${id}`, { as: 'blob' });
  }

  typing() {
    return this.#request('POST', '/chat/typing');
  }

  /** @param {string} messageId @param {{ rating: 0 | 1, comment?: string }} rating */
  rate(messageId, rating) {
    return this.#request('POST', `/chat/messages/${messageId}/rate`, { json: rating });
  }

  /**
   * Makes the account that is signed in a member, and the chat its own. The token of a visitor who has become somebody is another one.
   * @returns {Promise<boolean>} whether the chat is the account's
   */
  async join() {
    const { token } = this;
    const json = token === null ? {} : { visitorToken: token };
    const { visitorToken } = await this.#request('POST', '/signup', { token: null, json, cookies: true });
    if (visitorToken === undefined) return false;
    this.token = visitorToken;
    return true;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ token?: string | null, json?: object, form?: FormData, cookies?: boolean,
   *   as?: 'json' | 'blob' }} [what]
   */
  async #request(method, path, { token = this.token, json, form, cookies = false, as = 'json' } = {}) {
    /** @type {Record<string, string>} */
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    if (json !== undefined) headers['Content-Type'] = 'application/json';
    const body = form ?? (json === undefined ? null : JSON.stringify(json));
    const credentials = cookies ? 'same-origin' : 'omit';
    const answer = await fetch(this.address + path, { method, headers, body, credentials });
    if (!answer.ok) throw await refusal(answer);
    return answer.status === 204 ? undefined : answer[as]();
  }
}

/** @param {Response} answer */
export async function refusal(answer) {
  const problem = await answer.json().catch(() => ({}));
  const seconds = Number(answer.headers.get('Retry-After'));
  return new Refused(answer.status, String(problem.code ?? ''), Number.isFinite(seconds) ? seconds : 0);
}
