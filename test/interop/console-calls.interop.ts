import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertMessage } from '../../db/conversations/messages.js';
import { silenceByte } from '../../domain/calls/recordings/wav.js';
import { type RecordedCall, recordedCall } from '../support/calls/recorded-call.js';
import { conversationTasks } from '../support/workspace/definitions.js';
import { addMember } from '../support/workspace/factories.js';
import { ConsoleTests } from './support/console.js';

const tests = new ConsoleTests();
const path = () => `/console/w/${tests.workspace.workspaceUuid}/calls`;
const transcript = (page: Page) => page.getByRole('log', { name: 'What was said' });
const frames = 8_000 * 4;

/** A call with four seconds of sound. */
const newCall = (options: { chatId?: number } = {}) =>
  recordedCall(
    tests.workspace,
    tests.system.storage,
    [{ startFrame: 0, bytes: Buffer.alloc(2 * frames, silenceByte) }],
    options,
  );

/** Stores what was said, from this second on. */
async function say(
  call: RecordedCall,
  who: 'user' | 'assistant',
  content: string,
  second: number,
  cut?: number,
) {
  const { chatId, callId, recording } = call;
  const times = { phoneCallId: callId, startMs: second * 1_000, endMs: second * 1_000 + 900 };
  await tests.workspace.within((tx) =>
    insertMessage(tx, {
      chatId,
      callId,
      role: who,
      author: who === 'user' ? 'member' : 'agent',
      content,
      callItemId: `item-${second}`,
      audioFileUuid: recording.uuid,
      audioMetadata: times,
      ...(cut === undefined ? {} : { truncationReason: 'interrupted', truncatedAtMs: cut }),
    }),
  );
}

let call: RecordedCall;
beforeAll(async () => {
  const { memberId } = tests.workspace.member;
  await tests.workspace.asAdmin('PUT', `/members/${memberId}`, { name: 'Robin Sample' });
  call = await newCall();
  await say(call, 'assistant', 'Good morning, how can I help?', 0);
});

describe('the calls', () => {
  it('that go on stand first; what is said is read as it is said, and a colleague hangs up', async () => {
    tests.provoked = /status of 503/;
    const page = await tests.open(tests.workspace.admin, path());
    const live = page.getByRole('region', { name: 'Calls now' });
    await live.getByRole('link', { name: 'Robin Sample' }).waitFor();
    expect(await tests.look(page, 'calls')).toEqual([]);
    await live.getByRole('link', { name: 'Robin Sample' }).click();
    await transcript(page).getByText('Good morning, how can I help?').waitFor();
    await say(call, 'user', 'I want to <b>cancel</b> a visit.', 2);
    await transcript(page).getByText('I want to <b>cancel</b> a visit.').waitFor();
    await page.getByText('Told, and went on', { exact: true }).waitFor();

    await page.route('**/hang-up', (route) => route.fulfill({ status: 503, json: { detail: 'Later.' } }));
    await page.getByRole('button', { name: 'Hang up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the call ends within half a minute').waitFor();
    await dialog.getByRole('button', { name: 'Hang up' }).click();
    await dialog.getByText('Later.').waitFor();
    await page.unroute('**/hang-up');
    await dialog.getByRole('button', { name: 'Hang up' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Hang up' }).count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByText('Nobody is on the phone.').waitFor();
  });

  it('are played from where something was said, in ranges of the file of the API', async () => {
    const recorded = await newCall();
    await say(recorded, 'user', 'Hello?', 0);
    await say(recorded, 'assistant', 'Your visit is on Monday at', 3, 500);
    await recorded.finish();
    const page = await tests.open(tests.workspace.admin, `${path()}/${recorded.callId}`);
    await transcript(page).getByText('Interrupted').waitFor();
    expect(await tests.look(page, 'call')).toEqual([]);
    const sound = page.waitForResponse((answer) => answer.url().includes('/audio.wav'));
    await page.getByRole('button', { name: 'Play from 0:03' }).first().click();
    const answer = await sound;
    expect(answer.status()).toBe(206);
    expect(await answer.request().headerValue('range')).toMatch(/^bytes=/);
    const at = () =>
      page.getByLabel('Recording').evaluate((player: { currentTime: number }) => player.currentTime);
    await expect.poll(at).toBeGreaterThanOrEqual(3);
  });

  it('are transferred to a person whom the workflow names, which the marks tell', async () => {
    tests.provoked = /status of (400|503)/;
    const targets = [
      { name: 'front_desk', description: 'For appointments', phoneNumber: '+14155550110' },
      { name: 'back_office', phoneNumber: '+14155550111' },
    ];
    const abilities = [{ abilityType: 'forward_call' as const, config: { targets } }];
    const workflowId = await tests.workspace.publish({ ...conversationTasks(), abilities });
    const { chatId } = await tests.workspace.begin(workflowId);
    const live = await newCall({ chatId });
    await say(live, 'assistant', 'Your visit is on', 1, 500);
    const page = await tests.open(tests.workspace.admin, `${path()}/${live.callId}`);
    await page.getByRole('button', { name: 'Transfer' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('For appointments').waitFor();
    await dialog.getByLabel('To', { exact: true }).selectOption('back office');
    await dialog.getByLabel('What the person should know').fill('Asks for a bill.');
    await page.route('**/transfer', (route) => route.fulfill({ status: 503, json: { detail: 'Later.' } }));
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog.getByText('Later.').waitFor();
    expect(await tests.look(page, 'call-transfer')).toEqual([]);
    await page.unroute('**/transfer');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Transfer' }).count()).toBe(0);

    const marks = page.getByRole('list', { name: 'What happened' });
    await marks.getByText('Transfer to back office: asked for').waitFor();
    await marks.getByText('Consent: Told, and went on').waitFor();
    expect(await tests.look(page, 'call-marks')).toEqual([]);
    const player = page.getByLabel('Recording');
    await marks.getByRole('button', { name: 'Play from 0:01' }).click();
    const at = () => player.evaluate((audio: { currentTime: number }) => audio.currentTime);
    await expect.poll(at).toBeGreaterThanOrEqual(1.5);
  });

  it('are listed by state, direction, day and member, which the address keeps', async () => {
    const page = await tests.open(tests.workspace.admin, path());
    await page.getByRole('table', { name: 'All calls' }).getByText('Ended').first().waitFor();
    await page.getByLabel('Direction').selectOption('in');
    await page.getByText('There are no such calls.').waitFor();
    await page.getByLabel('Direction').selectOption('out');
    await page.getByLabel('State').selectOption('completed');
    await page.getByLabel('From').fill('2001-01-01');
    await page.reload();
    await page.getByRole('table', { name: 'All calls' }).getByText('Robin Sample').first().waitFor();
    await page.getByLabel('To', { exact: true }).fill('2001-01-02');
    await page.getByText('There are no such calls.').waitFor();

    const { memberId } = await addMember(tests.workspace);
    await page.goto(`${tests.system.api.baseUrl}${path()}?member=${memberId}`);
    await page.getByText('There are no such calls.').waitFor();
    await page.getByRole('button', { name: 'Calls of everybody' }).click();
    await page.getByRole('table', { name: 'All calls' }).getByText('Robin Sample').first().waitFor();
  });

  it('are not hung up by who may only read them, and not shown to who may not', async () => {
    tests.provoked = /status of 40[34]/;
    const live = await newCall();
    const permissions = ['chats:read', 'members:read'];
    const reader = await addMember(tests.workspace, { permissions, values: { name: 'Dana Sample' } });
    const page = await tests.open(reader, `${path()}/${live.callId}`);
    await page.getByText('Nothing has been said yet.').waitFor();
    expect(await page.getByRole('button', { name: /Hang up|Transfer/ }).count()).toBe(0);
    await page.goto(`${tests.system.api.baseUrl}${path()}/999999999`);
    await page.getByText('There is no such call').waitFor();

    const plain = await addMember(tests.workspace, { permissions: [], values: { name: 'Lee Sample' } });
    const other = await tests.open(plain, path().replace(/\/calls$/, ''));
    await other.getByRole('link', { name: 'Home' }).waitFor();
    expect(await other.getByRole('link', { name: 'Calls', exact: true }).count()).toBe(0);
  });
});
