import {
  keysScheduleId,
  receiptsScheduleId,
  reconcilerScheduleId,
  textPricesScheduleId,
} from '../../../workflows/contracts/runs.js';
import { openBrowser } from '../../support/api/browser.js';
import { loginCodeOf } from '../../support/api/login.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';
import { breakDatabase } from './break-database.js';
import { talkOnThePhone } from './calls.js';
import { configure, dataTypeSlug, fieldSlug } from './configure.js';
import { writeEmails } from './email.js';
import { keepFiles } from './files.js';
import { receiveEmails } from './received-email.js';
import { keepRecords } from './records.js';
import { refuseEverywhere, repeatAndCollide } from './refusals.js';
import { signIn } from './sign-in.js';
import { keepSite } from './sites.js';
import { walkByText, writeAsStrangers } from './text.js';
import { chatOnTheWeb } from './web-chat.js';
import { listen } from './webhooks.js';

/** Everything that the service does and all that can go wrong with it, with markers in whatever people fill in. */
export async function play(stage: Stage): Promise<void> {
  const configured = await configure(stage);
  const listening = await listen(stage);
  await keepFiles(stage);
  const [person, { texterId }] = await Promise.all([
    signIn(stage, configured),
    walkByText(stage, configured),
  ]);
  await Promise.all([
    chatOnTheWeb(stage, person, configured),
    talkOnThePhone(stage, configured),
    writeAsStrangers(stage, configured),
    keepRecords(stage, configured, texterId),
    keepSite(stage, configured),
    writeEmails(stage, texterId),
    receiveEmails(stage),
    signUp(stage),
    repeatAndCollide(stage),
  ]);
  await listening.hearOut();
  await Promise.all([refuseEverywhere(stage), runSchedules(stage)]);
  await breakDatabase(stage, configured, person, texterId);
}

async function runSchedules({ system }: Stage): Promise<void> {
  const types = {
    [reconcilerScheduleId]: 'reconcileRuns',
    [receiptsScheduleId]: 'askForReceipts',
    [keysScheduleId]: 'forgetOldKeys',
    [textPricesScheduleId]: 'storeTextPrices',
  };
  for (const [scheduleId, type] of Object.entries(types)) {
    await system.client.schedule.getHandle(scheduleId).trigger();
    await waitFor(`${type} has run`, async () => {
      for await (const { status } of system.client.workflow.list({ query: `WorkflowType = '${type}'` })) {
        if (status.name === 'COMPLETED') return true;
      }
      return false;
    });
  }
}

/** Somebody signs up, again with what is not taken, and proves the email, of which an account comes. */
async function signUp(stage: Stage): Promise<void> {
  const admin = stage.as();
  const member = {
    email: planted('signUpEmail'),
    phone: planted('signUpPhone'),
    name: planted('signUpName'),
    externalId: planted('signUpExternalId'),
    tosAccepted: true,
  };
  const record = { externalId: planted('signUpRecord'), values: { [fieldSlug]: planted('recordText') } };
  const { token } = await admin('POST', '/create-signup', { member, data: { [dataTypeSlug]: record } });
  stage.keepSecret('signUpToken', token);

  const refused = planted('refused');
  const others = [
    { member: { ...member, email: refused } },
    { member: { ...member, phone: refused, role: refused, locale: refused, labels: [refused] } },
    { member, data: { [dataTypeSlug]: { values: { [fieldSlug]: { not: refused } } } } },
  ];
  for (const body of others) await admin('POST', '/create-signup', body, 400);

  const browser = openBrowser(stage.api);
  const { loginCodeUuid } = await browser.askForCode({ email: planted('signUpEmail') });
  const run = stage.system.run('sendLoginCode', loginCodeUuid);
  const { outcome } = await waitFor('the code is sent', () => run.result());
  if (outcome !== 'sent') throw new Error(`the code was not sent: ${outcome}`);
  const body = { loginCodeUuid, code: await loginCodeOf(stage.api, loginCodeUuid) };
  answered(await browser.request('POST', '/sessions', { body }));
  stage.keepSecret('signUpSession', browser.token ?? '');
}
