import type { Page } from 'playwright-core';
import type { DevFile } from '../dev/launcher/dev-file.js';
import { readSignInCode } from '../dev/sign-in-code.js';

/** Signs in as the demo's colleague, and opens the chat that it has answered last. */
export async function showInbox(page: Page, { mailSimulator, people }: DevFile): Promise<void> {
  if (mailSimulator === null) throw new Error('The pictures need the simulated mail server.');
  await page.getByLabel('Email or phone number').fill(people.colleague);
  const { code } = await readSignInCode(mailSimulator, people.colleague, () =>
    page.getByRole('button', { name: 'Send a code' }).click(),
  );
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('link', { name: 'Answered' }).click();
  await page
    .getByRole('link', { name: /Unknown person/ })
    .first()
    .click();
  await page.getByRole('log', { name: 'Messages' }).getByText('Pain from 0 to 10').waitFor();
  await page.getByRole('complementary', { name: 'Member' }).getByText('Nurse').first().waitFor();
}
