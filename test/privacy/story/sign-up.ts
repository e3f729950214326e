import { openBrowser } from '../../support/api/browser.js';
import { loginCodeOf } from '../../support/api/login.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';
import { dataTypeSlug, fieldSlug } from './configure.js';

/** Somebody signs up, again with what is not taken, and proves the email, of which an account comes. */
export async function signUp(stage: Stage): Promise<void> {
  const admin = stage.as();
  const member = {
    email: planted('signUpEmail'),
    phone: planted('signUpPhone'),
    name: planted('signUpName'),
    externalId: planted('signUpExternalId'),
    tosAccepted: true,
  };
  const record = { externalId: planted('signUpRecord'), values: { [fieldSlug]: planted('recordText') } };
  const { token } = answered(
    await admin('POST', '/create-signup', { member, data: { [dataTypeSlug]: record } }),
  );
  stage.keepSecret('signUpToken', token);

  const refused = planted('refused');
  const others = [
    { member: { ...member, email: refused } },
    { member: { ...member, phone: refused, role: refused, locale: refused, labels: [refused] } },
    { member, data: { [dataTypeSlug]: { values: { [fieldSlug]: { not: refused } } } } },
  ];
  for (const body of others) answered(await admin('POST', '/create-signup', body), 400);

  const browser = openBrowser(stage.api);
  const { loginCodeUuid } = await browser.askForCode({ email: planted('signUpEmail') });
  const run = stage.system.run('sendLoginCode', loginCodeUuid);
  const { outcome } = await waitFor('the code is sent', () => run.result());
  if (outcome !== 'sent') throw new Error(`the code was not sent: ${outcome}`);
  const body = { loginCodeUuid, code: await loginCodeOf(stage.api, loginCodeUuid) };
  answered(await browser.request('POST', '/sessions', { body }));
  stage.keepSecret('signUpSession', browser.token ?? '');
}
