import { randomUUID } from 'node:crypto';
import type { TestApi } from './api.js';
import { loginCodeOf } from './login.js';

export interface ShownPage {
  status: number;
  /** The whole document; empty for a redirect. */
  text: string;
  /** Where the browser is sent; undefined for a page. */
  location: string | undefined;
  headers: Headers;
}

/** Somebody who uses the pages: keeps cookies as a browser does, by their paths, and follows redirects when told to. */
export class PageVisitor {
  readonly #origin: string;
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #headers: Record<string, string>;

  constructor(
    readonly api: Omit<TestApi, 'close'>,
    headers: Record<string, string> = {},
  ) {
    this.#origin = new URL(api.baseUrl).origin;
    this.#headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', ...headers };
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<ShownPage> {
    return this.#send('GET', path, undefined, headers);
  }

  /** Sends fields to a path, as a form of a page of this service. */
  async post(
    path: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<ShownPage> {
    const form = new URLSearchParams();
    for (const [name, values] of Object.entries(fields))
      for (const value of [values].flat()) form.append(name, value);
    return this.#send('POST', path, form, headers);
  }

  /** Sends the first form of a page whose action is this path, with its hidden fields. */
  async submit(
    page: ShownPage,
    action: string,
    fields: Record<string, string | string[]> = {},
  ): Promise<ShownPage> {
    const found = formsOf(page.text).find((one) => one.action === action);
    if (found === undefined) throw new Error(`the page has no form for ${action}`);
    return this.post(action, { ...found.hidden, ...fields });
  }

  /** Follows redirects within this service. */
  async follow(page: ShownPage): Promise<ShownPage> {
    let at = page;
    for (let hops = 0; at.location !== undefined && hops < 10; hops += 1) {
      const url = new URL(at.location, this.#origin);
      if (url.origin !== this.#origin) return at;
      at = await this.get(url.pathname + url.search);
    }
    return at;
  }

  /** Signs in by a code, by the pages. */
  async signIn(email: string, next = '/settings'): Promise<ShownPage> {
    const asked = await this.get(`/sign-in?return=${encodeURIComponent(next)}`);
    const sent = await this.submit(asked, '/sign-in', { address: email });
    const uuid = formsOf(sent.text)[0]?.hidden.uuid ?? randomUUID();
    return this.submit(sent, '/sign-in/code', { code: await loginCodeOf(this.api, uuid) });
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)?.value;
  }

  setCookie(name: string, value: string, path = '/'): void {
    this.#cookies.set(name, { value, path });
  }

  async #send(
    method: string,
    path: string,
    form: URLSearchParams | undefined,
    headers: Record<string, string>,
  ): Promise<ShownPage> {
    const { pathname } = new URL(path, this.#origin);
    const held = [...this.#cookies].filter(([, one]) => pathname.startsWith(one.path));
    const cookie = held.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, this.#origin), {
      method,
      redirect: 'manual',
      ...(form === undefined ? {} : { body: form }),
      headers: {
        ...this.#headers,
        Accept: 'text/html',
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(form === undefined ? {} : { Origin: this.#origin, 'Sec-Fetch-Site': 'same-origin' }),
        ...headers,
      },
    });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    return {
      status: answer.status,
      text: await answer.text(),
      location: answer.headers.get('location') ?? undefined,
      headers: answer.headers,
    };
  }

  #keep(set: string): void {
    const [pair = '', ...attributes] = set.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    const isGone =
      value === '' || attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=.*1970/i.test(one));
    if (isGone) this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path });
  }
}

/** The forms of a document, with their hidden fields. */
export function formsOf(text: string): { action: string; hidden: Record<string, string> }[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inner = '']) => ({
      action: unescaped(action),
      hidden: Object.fromEntries(
        [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value = '']) => [name, unescaped(value)],
        ),
      ),
    }),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
