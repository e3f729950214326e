import { expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { beginInHall } from '../small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);

const hold = async (body: object) => {
  expect((await workspace.asAdmin('POST', '/workspace-hold', body)).status).toBe(200);
  onTestFinished(async () => {
    await workspace.asAdmin('DELETE', '/workspace-hold');
  });
};

const isCalled = async (chat: () => Promise<{ needsResponseReason: string | null }>) =>
  waitFor('a colleague is alerted', async () => (await chat()).needsResponseReason === 'workspace_held');

it('holds assignments and messages, which go on once when somebody ends the hold', async () => {
  const assignment = await beginInHall(workspace);
  await hold({ reason: 'Stop' });
  await assignment.write('hello');
  await isCalled(assignment.chat);
  const path = `/chats/${assignment.chatId}/send-assistant-message`;
  await workspace.asAdmin('POST', path, { message: 'From the desk.' });
  await workspace.asAdmin('PUT', `/chats/${assignment.chatId}`, { paused: false });
  const run = system.run('deliverMessages', (await assignment.chat()).uuid);
  await waitFor('the run of the deliveries has ended', async () => {
    const { status } = await run.describe();
    return status.name === 'COMPLETED';
  });
  const { body } = await workspace.asAdmin('GET', '/messages?deliveryStatus=waiting');
  expect(body.items.map(({ text }: { text: string }) => text)).toContain('From the desk.');
  expect(await assignment.carried()).not.toContain('From the desk.');

  await workspace.asAdmin('DELETE', '/workspace-hold');

  await waitFor('it is sent', async () => (await assignment.carried()).includes('From the desk.'));
  await assignment.settled();
  expect((await assignment.carried()).filter((text) => text === 'From the desk.')).toHaveLength(1);
});

it('ends by itself at its time', async () => {
  const assignment = await beginInHall(workspace);
  await hold({ until: new Date(Date.now() + 3_000).toISOString() });
  await assignment.write('hello');
  await isCalled(assignment.chat);

  await assignment.heard('I did not get that.');

  expect((await workspace.asAdmin('GET', '/workspace-hold')).body.heldAt).toBeNull();
  await assignment.settled();
  expect((await assignment.said('assistant')).length).toBe(2);
});
