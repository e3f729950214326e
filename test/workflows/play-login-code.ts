import { openBrowser } from '../support/browser.js';
import { uniqueEmail } from '../support/factories.js';
import type { TestSystem } from '../support/system.js';
import { waitFor } from '../support/wait-for.js';

/** A code is sent, at the second attempt. Returns the workflow id. */
export async function playLoginCode(system: TestSystem): Promise<string> {
  const email = uniqueEmail();
  await system.database.identity.accounts.create({ email });
  await system.mail.plan({ to: email, reply: 451 });
  const { loginCodeUuid } = await openBrowser(system.api).askForCode({ email });
  await waitFor('it is sent', async () => (await system.mail.sentTo(email)).length === 1);
  await system.run('sendLoginCode', loginCodeUuid).result();
  return `login-code-${loginCodeUuid}`;
}
