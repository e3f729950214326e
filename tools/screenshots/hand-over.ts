import type { Page } from 'playwright-core';
import { waitUntil } from '../../runtime/wait-until.js';
import { type ApiClient, adminClient } from '../dev/demo/api-client.js';
import type { DevFile } from '../dev/launcher/dev-file.js';

/** What the visitor says, each when this stands in the log. */
const walk = [
  ['', 'Hello'],
  ['Please answer yes or no.', 'Yes'],
  ['Full name', 'Robin Sample'],
  ['Date of birth', '1990-03-12'],
  ['Reason for the visit', 'A sore knee after running'],
  ['Pain from 0 to 10', '9'],
] as const;
const answer = 'This is the nurse on duty. Please come today at three, and bring your running shoes.';

/** On the clinic's page, a visitor goes through the intake in the chat until a colleague takes over and answers. */
export async function playHandOver(page: Page, dev: DevFile): Promise<void> {
  const api = adminClient(dev);
  await page.getByRole('button', { name: /^Chat/ }).click();
  const input = page.getByLabel('Your message');
  const log = page.getByRole('log', { name: 'Messages' });
  for (const [question, text] of walk) {
    if (question !== '') await log.getByText(question).waitFor();
    await input.fill(text);
    await input.press('Enter');
  }
  const chat = await waitingChat(api);
  await api('POST', `/chats/${chat}/send-assistant-message`, { message: answer });
  await log.getByText(answer).waitFor();
}

/** The chat that was handed over last. */
async function waitingChat(api: ApiClient): Promise<number> {
  let id: number | undefined;
  const waits = async () => {
    const query = 'reason=handoff&sortOrder=desc&pageSize=1';
    const { items } = await api<{ items: { id: number }[] }>('GET', `/chats/needs-response?${query}`);
    id = items[0]?.id;
    return id !== undefined;
  };
  if (!(await waitUntil(waits, { withinMs: 30_000 }))) throw new Error('The chat is not handed over.');
  return id ?? 0;
}
