import type { TestApi } from '../api/api.js';
import { openBrowser, type TestBrowser } from '../api/browser.js';
import type { SimulatedIdentityProvider } from '../simulators/simulated-identity-provider.js';
import { randomTag } from './factories.js';
import { addOrganization } from './organizations.js';

type Api = Omit<TestApi, 'close'>;

/** An organization whose owner is in this browser, with a client at the provider. */
export async function addSsoOrganization(
  owner: { browser: TestBrowser },
  provider: SimulatedIdentityProvider,
  emailDomains: string[] = [],
) {
  const organization = await addOrganization(owner);
  const clientId = `client-${randomTag()}`;
  const secret = `secret-${randomTag()}`;
  const body = { issuer: provider.url, clientId, clientSecret: secret, emailDomains };
  const answer = await owner.browser.request('PUT', organization.path('/sso'), { body });
  if (answer.status !== 200)
    throw new Error(`no provider was set: ${answer.status} ${JSON.stringify(answer.body)}`);
  await provider.setClient(clientId, { secret, redirectUris: [answer.body.callbackUrl] });
  return { ...organization, clientId, callbackUrl: answer.body.callbackUrl as string };
}

/** Begins signing in in a browser. @returns where it is sent */
export async function begin(browser: TestBrowser, organization: { slug: string }, returnTo?: string) {
  const answer = await browser.request('GET', `/o/${organization.slug}/sso/start`, {
    ...(returnTo === undefined ? {} : { query: { returnTo } }),
  });
  return { ...answer, location: answer.headers.get('location') ?? '' };
}

/** The path and the query of the callback below `/api/v2`, as a browser comes back with. */
export function pathOf(callback: URL): string {
  return callback.pathname.replace('/api/v2', '') + callback.search;
}

/** Signs a person of the provider in, in a browser. @returns the answer of the callback */
export async function signOn(
  browser: TestBrowser,
  organization: { slug: string },
  provider: SimulatedIdentityProvider,
  subject: string,
) {
  const { location } = await begin(browser, organization);
  return browser.request('GET', pathOf(await provider.signIn(location, subject)));
}

export async function signedOn(
  api: Api,
  organization: { slug: string },
  provider: SimulatedIdentityProvider,
  subject: string,
): Promise<TestBrowser> {
  const browser = openBrowser(api);
  const answer = await signOn(browser, organization, provider, subject);
  if (answer.status !== 303) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return browser;
}
