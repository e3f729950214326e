import {
  deviceCookieName,
  organizationCookieName,
  sessionCookieName,
  signOnCookieName,
} from '../../../api/auth/session-cookie.js';
import type { Database } from '../../../db/database.js';
import { uniqueEmail } from '../workspace/factories.js';
import type { ApiRequest, ApiResponse, TestApi } from './api.js';
import { loginCodeOf } from './login.js';

type LoginAddress = { email: string } | { phone: string };

/** Somebody in front of a browser: keeps the cookie and says where requests come from, as browsers do. */
export interface TestBrowser {
  token: string | undefined;
  /** The token of the cookie by which a browser that signed in is known again. */
  device: string | undefined;
  /** The token of the cookie that it has joined an organization with. */
  organization: string | undefined;
  /** The sign-in at an identity provider that it has begun. */
  flow: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
  request<Body = any>(method: string, path: string, request?: ApiRequest): Promise<ApiResponse<Body>>;
  /** Asks for a code and gives it back as the mail would have. */
  askForCode(address: LoginAddress): Promise<{ loginCodeUuid: string; code: string }>;
  /** Signs in by a code. @throws when it is refused */
  signIn(address: LoginAddress): Promise<void>;
}

export function openBrowser(api: Omit<TestApi, 'close'>, headers: Record<string, string> = {}): TestBrowser {
  const browser: TestBrowser = {
    token: undefined,
    device: undefined,
    organization: undefined,
    flow: undefined,
    async request(method, path, request = {}) {
      const { token, device, organization, flow } = browser;
      const held = [
        token && cookieOf(token),
        device && `${deviceCookieName}=${device}`,
        organization && `${organizationCookieName}=${organization}`,
        flow && `${signOnCookieName}=${flow}`,
      ].filter(Boolean);
      const cookie = held.length === 0 ? {} : { Cookie: held.join('; ') };
      const sent = { Origin: new URL(api.baseUrl).origin, ...cookie, ...headers, ...request.headers };
      const answer = await api.request(method, path, { ...request, headers: sent });
      for (const set of answer.headers.getSetCookie()) {
        const [, name, value] = set.match(/^([^=]*)=([^;]*);/) ?? [];
        if (name === sessionCookieName) browser.token = value === '' ? undefined : value;
        if (name === deviceCookieName) browser.device = value;
        if (name === signOnCookieName) browser.flow = value === '' ? undefined : value;
        if (name === organizationCookieName) browser.organization = value === '' ? undefined : value;
      }
      return answer as never;
    },
    async askForCode(address) {
      const { status, body } = await browser.request('POST', '/login-codes', { body: address });
      if (status !== 202) throw new Error(`no code was made: ${status} ${JSON.stringify(body)}`);
      return { loginCodeUuid: body.uuid, code: await loginCodeOf(api, body.uuid) };
    },
    async signIn(address) {
      const body = await browser.askForCode(address);
      const answer = await browser.request('POST', '/sessions', { body });
      if (answer.status !== 201) throw new Error(`signing in was refused: ${answer.status}`);
    },
  };
  return browser;
}

/** Opens browsers that each have a client address of their own, on an api with `trustedProxies: 1`. */
export function visitorsOf(api: Omit<TestApi, 'close'>): (headers?: Record<string, string>) => TestBrowser {
  let visitors = 0;
  return (headers = {}) => {
    visitors += 1;
    return openBrowser(api, { 'X-Forwarded-For': `192.0.2.${visitors}`, ...headers });
  };
}

/** Signs an account in by its email. */
export async function signInAs(database: Database, accountId: number, browser: TestBrowser) {
  const account = await database.identity.accounts.findById(accountId);
  await browser.signIn({ email: account?.email ?? '' });
  return browser;
}

export async function signInSuperuser(database: Database, browser: TestBrowser) {
  const { id, uuid } = await database.identity.accounts.create({ email: uniqueEmail(), isSuperuser: true });
  return { id, uuid, browser: await signInAs(database, id, browser) };
}

export function cookieOf(token: string): string {
  return `${sessionCookieName}=${token}`;
}

/** Other digits than these. */
export function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
