const cookieName = '__Host-wes_session';

/** Keeps the session that `beginSession` begins. A browser keeps the cookie itself, and does not show it here. */
export class Session {
  #token: string | undefined;

  constructor(token?: string) {
    this.#token = token;
  }

  /** Store it to continue the session in another process. */
  get token(): string | undefined {
    return this.#token;
  }

  /** The headers of a request with this session. */
  headers(): Record<string, string> {
    if (this.#token === undefined) return {};
    // Writes with a cookie have to say that they do not come from a page of another site.
    return { Cookie: `${cookieName}=${this.#token}`, 'Sec-Fetch-Site': 'same-origin' };
  }

  /** Takes or drops the cookie that an answer sets. */
  read({ headers }: Response): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === cookieName) this.#token = value || undefined;
    }
  }
}
