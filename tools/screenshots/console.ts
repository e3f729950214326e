import type { Page } from 'playwright-core';
import type { DevFile } from '../dev/launcher/dev-file.js';
import { readSignInCode } from '../dev/sign-in-code.js';

/** Signs in on the page that asks for it. */
async function signIn(page: Page, { mailSimulator }: DevFile, email: string): Promise<void> {
  if (mailSimulator === null) throw new Error('The pictures need the simulated mail server.');
  await page.getByLabel('Email or phone number').fill(email);
  const { code } = await readSignInCode(mailSimulator, email, () =>
    page.getByRole('button', { name: 'Send a code' }).click(),
  );
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** As the demo's colleague: the chat that was answered last. */
export async function showInbox(page: Page, dev: DevFile): Promise<void> {
  await signIn(page, dev, dev.people.colleague);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('link', { name: 'Answered' }).click();
  await page
    .getByRole('link', { name: /Unknown person/ })
    .first()
    .click();
  await page.getByRole('log', { name: 'Messages' }).getByText('Pain from 0 to 10').waitFor();
  const member = page.getByRole('complementary', { name: 'Member' });
  await member.getByText('Nurse').first().waitFor();
  await member.getByText('Loading …').waitFor({ state: 'hidden' });
}

/** As the demo's admin: the intake in the editor, and how it begins. */
export async function showEditor(page: Page, dev: DevFile): Promise<void> {
  await signIn(page, dev, dev.people.admin);
  await page.getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('link', { name: 'Clinic intake', exact: true }).click();
  const phone = page.getByRole('log', { name: 'A phone that plays this workflow' });
  await phone.getByText('Shall we prepare your first visit now?').waitFor();
}
