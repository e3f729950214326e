import type { TestApi } from '../api/api.js';
import { openBrowser, type TestBrowser } from '../api/browser.js';
import type { TestMember, TestWorkspace } from './factories.js';
import { randomTag, uniqueEmail } from './factories.js';

/** A browser in which the account of a member is signed in by a code, and its address. */
export async function personOf(
  api: Omit<TestApi, 'close'>,
  workspace: TestWorkspace,
  member: Pick<TestMember, 'accountId'>,
): Promise<{ browser: TestBrowser; email: string }> {
  const email = uniqueEmail();
  const at = new Date();
  await workspace.database.identity.accounts.update(member.accountId, { email, emailVerifiedAt: at });
  const browser = openBrowser(api);
  await browser.signIn({ email });
  return { browser, email };
}

/** Somebody who has proved an address, and is in no workspace. */
export async function stranger(
  api: Omit<TestApi, 'close'>,
  workspace: TestWorkspace,
  email = uniqueEmail(),
): Promise<{ browser: TestBrowser; email: string; accountId: number }> {
  const account = await workspace.database.identity.accounts.create({ email, name: `Person ${randomTag()}` });
  const browser = openBrowser(api);
  await browser.signIn({ email });
  return { browser, email, accountId: account.id };
}

/** An organization that the person in this browser owns. */
export async function addOrganization(
  { browser }: { browser: TestBrowser },
  values: object = {},
): Promise<{ uuid: string; slug: string; path: (rest: string) => string }> {
  const { status, body } = await browser.request('POST', '/organizations', {
    body: { name: `Organization ${randomTag()}`, ...values },
  });
  if (status !== 201) throw new Error(`no organization was made: ${status} ${JSON.stringify(body)}`);
  const { uuid, slug } = body;
  return { uuid, slug, path: (rest) => `/organizations/${uuid}${rest}` };
}
