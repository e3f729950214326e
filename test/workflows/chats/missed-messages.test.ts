import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MissedMessagesPass } from '../../../activities/channels/missed-messages.js';
import { missedMessagesScheduleId, taskQueues } from '../../../workflows/contracts/runs.js';
import { hours, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsConversation } from '../../support/system/sms-workspace.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';

/** How far the service's clock is ahead of the carrier's. */
let aheadMs = 0;
const nobody = 'http://127.0.0.1:9';

const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ clock: { now: () => new Date(Date.now() + aheadMs) } }),
);
// Its passes would take what a test has prepared for one of its own.
beforeAll(async () => {
  const schedule = system.client.schedule.getHandle(missedMessagesScheduleId);
  await waitFor('the schedule is made', () => schedule.pause().then(() => true));
});
beforeEach(async () => {
  aheadMs = 0;
  await setCursor(new Date(Date.now() - minutes(10)));
  await system.carrier.turn({ listLagMs: 0 });
});

const account = () => system.carrier.credentials.accountSid;
const setCursor = (takenUntil: Date) =>
  system.database.identity.carrierCursors.set(account(), takenUntil, new Date());
const cursor = () => system.database.identity.carrierCursors.find(account());

/** Runs one pass, as the schedule does. */
const pass = (): Promise<MissedMessagesPass> =>
  system.client.workflow.execute('receiveMissedMessages', {
    workflowId: `receive-missed-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });

/** A chat whose member has written while the webhook address did not answer. */
async function writtenInVain(...texts: string[]): Promise<SmsConversation> {
  const chat = await workspace.openChat();
  await system.carrier.route(workspace.number, nobody);
  for (const text of texts) await chat.write(text).catch(() => undefined);
  await system.carrier.route(workspace.number, system.api.baseUrl);
  return chat;
}

const optedOut = async (chat: SmsConversation): Promise<boolean> => {
  const [member] = await workspace.select<{ sms_opted_out_at: Date | null }>(
    'select sms_opted_out_at from members where id = ?',
    [chat.texter.memberId],
  );
  return member?.sms_opted_out_at != null;
};

describe('the receiveMissedMessages run', () => {
  it('takes messages without a webhook from the carrier’s list, once and in order, and answers them', async () => {
    const missed = ['the first that was missed', 'the second that was missed'];
    const chat = await writtenInVain(...missed);
    await chat.write('this one came');
    aheadMs = minutes(3);

    expect(await pass()).toMatchObject({ carrier: 'asked', taken: 2, failed: 0 });
    expect(await pass()).toMatchObject({ taken: 0, failed: 0 });

    const said = await chat.said('user');
    expect(said.filter((text) => text.includes('missed'))).toEqual(missed);
    await chat.heard('the second that was missed');
  });

  it('leaves fresh messages to the webhook', async () => {
    const chat = await writtenInVain('just now');

    expect(await pass()).toMatchObject({ taken: 0 });
    expect(await chat.said('user')).toEqual([]);
  });

  it('finds messages that the carrier lists minutes late', async () => {
    const chat = await writtenInVain('listed late');
    await system.carrier.turn({ listLagMs: minutes(5) });
    aheadMs = minutes(4);
    expect(await pass()).toMatchObject({ taken: 0 });
    expect(((await cursor())?.getTime() ?? 0) - Date.now()).toBeGreaterThan(minutes(1));

    await system.carrier.turn({ listLagMs: 0 });
    aheadMs = minutes(10);

    expect((await pass()).taken).toBeGreaterThan(0);
    expect(await chat.said('user')).toEqual(['listed late']);
  });

  it('applies STOP of any age, unless START has arrived since', async () => {
    const [stopped, returned] = [await writtenInVain('STOP'), await writtenInVain('STOP')];
    await returned.write('START');
    aheadMs = hours(30);

    expect(await pass()).toEqual({ carrier: 'asked', listed: expect.any(Number), taken: 2, failed: 0 });

    expect(await optedOut(stopped)).toBe(true);
    expect(await optedOut(returned)).toBe(false);
  });

  it('obeys STOP where an earlier START was missed as well', async () => {
    const chat = await writtenInVain('START', 'STOP');
    aheadMs = minutes(3);

    expect(await pass()).toEqual({ carrier: 'asked', listed: expect.any(Number), taken: 2, failed: 0 });

    expect(await optedOut(chat)).toBe(true);
  });

  it('alerts a colleague for messages that are hours old, without an answer of the agent', async () => {
    const chat = await writtenInVain('is anybody there?');
    aheadMs = hours(5);

    expect(await pass()).toEqual({ carrier: 'asked', listed: expect.any(Number), taken: 1, failed: 0 });

    expect(await chat.said('user')).toEqual(['is anybody there?']);
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'late_message' });
    const { version, handledVersion } = await chat.chat();
    expect(version).toBe(handledVersion);
  });

  it('keeps its cursor while the carrier is unavailable, and takes the messages in the next pass', async () => {
    await writtenInVain('while the list was away');
    const before = await cursor();
    // Not once: answers to earlier messages may be on their way to the carrier.
    await system.carrier.turn({ busy: { rate: true, status: 503 } });
    aheadMs = minutes(3);

    expect(await pass()).toMatchObject({ carrier: 'unavailable' });
    expect(await cursor()).toEqual(before);
    await system.carrier.turn({ busy: null });
    expect(await pass()).toMatchObject({ carrier: 'asked', taken: 1 });
  });

  it('takes the other messages if one cannot be stored, and retries that one for hours', async () => {
    await writtenInVain('no database stores a \u0000');
    const whole = await writtenInVain('to one that does');
    aheadMs = minutes(3);
    const before = (await cursor())?.getTime() ?? 0;

    expect(await pass()).toMatchObject({ taken: 1, failed: 1 });
    expect(await whole.said('user')).toEqual(['to one that does']);
    expect((await cursor())?.getTime()).toBeLessThan(before + minutes(10));

    expect(await pass()).toMatchObject({ taken: 0, failed: 1 });
    aheadMs = hours(7);
    expect(await pass()).toMatchObject({ failed: 1 });
    expect(await pass()).toMatchObject({ failed: 0 });
  });
});
