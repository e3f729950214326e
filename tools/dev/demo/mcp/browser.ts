import { DemoError } from '../api-client.js';

/** A page that the browser shows, or the address outside of the service that it is sent to. */
export interface Shown {
  text: string;
  /** Set when a redirect leads out of the service. */
  leftFor: string | undefined;
}

/** A browser as far as forms go: keeps cookies, follows redirects and submits forms of the service's pages. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  constructor(readonly origin: string) {}

  open(address: string): Promise<Shown> {
    return this.#follow(new URL(address, this.origin));
  }

  /**
   * Submits the form of a page whose action begins like this.
   * @throws DemoError with what the page says if it is refused
   */
  async submit(page: Shown, action: string, fields: Record<string, string>): Promise<Shown> {
    const form = formsOf(page.text).find((one) => one.action.startsWith(action));
    if (form === undefined) throw new DemoError(`The page has no form for ${action}.`);
    const body = new URLSearchParams({ ...form.hidden, ...fields });
    return this.#follow(new URL(form.action, this.origin), { method: 'POST', body });
  }

  /** A request to the API with the session of the browser. @throws DemoError if it is refused */
  async api<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await this.#send(new URL(`/api/v2${path}`, this.origin), {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new DemoError(`${method} ${path} was refused: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  async #follow(url: URL, init: RequestInit = {}): Promise<Shown> {
    let answer = await this.#send(url, init);
    for (let hops = 0; hops < 10; hops += 1) {
      const location = answer.headers.get('Location');
      if (location === null) {
        const text = await answer.text();
        if (!answer.ok) {
          throw new DemoError(`${url.pathname} was refused: ${answer.status} ${problemOf(text)}`);
        }
        return { text, leftFor: undefined };
      }
      const next = new URL(location, url);
      if (next.origin !== this.origin) return { text: '', leftFor: next.href };
      answer = await this.#send(next, {});
    }
    throw new DemoError(`The redirects from ${url.pathname} do not end.`);
  }

  async #send(url: URL, init: RequestInit): Promise<Response> {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, Cookie: cookies, Origin: this.origin, 'Sec-Fetch-Site': 'same-origin' },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

/** The forms of a page, with their hidden fields. */
function formsOf(text: string): { action: string; hidden: Record<string, string> }[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inner = '']) => ({
      action: plain(action),
      hidden: Object.fromEntries(
        [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value = '']) => [name, plain(value)],
        ),
      ),
    }),
  );
}

/** What a page says at its top of what is wrong. */
function problemOf(text: string): string {
  return plain(/<div class="summary"[\s\S]*?<p>([\s\S]*?)<\/p>/.exec(text)?.[1] ?? '');
}

/** The value of the choice with this label, such as a workspace of the consent. */
export function choiceOf(page: Shown, label: string): string | undefined {
  const choices = [
    ...page.text.matchAll(/<input type="radio"[^>]* value="([^"]*)"[^>]*>([\s\S]*?)<\/label>/g),
  ];
  return choices.find(([, , inner = '']) => plain(inner).includes(label))?.[1];
}

function plain(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
