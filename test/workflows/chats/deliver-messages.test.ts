import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { useDatabase } from '../../support/db/use-database.js';
import { type FaultyRelease, prepareFaultyRelease, stoodStill } from '../../support/faults/faulty-release.js';
import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsConversation } from '../../support/system/sms-workspace.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';

const testDatabase = useDatabase();
let release: FaultyRelease;
/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;

afterAll(() => release.close());
const { system, workspace } = useSmsWorkspace(async () => {
  release = await prepareFaultyRelease(testDatabase.superuserUrl);
  return startSystem({ testDatabase, clock: { now: () => new Date(Date.now() + aheadMs) } });
});
afterEach(() => release.repair());
// A look-up compares the service’s clock with the carrier’s, so every test starts without an offset.
beforeEach(() => {
  aheadMs = 0;
});

/** A colleague sends a message to the member. */
async function post(chat: SmsConversation, content: string, expected = 201): Promise<void> {
  expect((await chat.post(content)).status).toBe(expected);
}

const deliveriesOf = (chat: SmsConversation) =>
  workspace.select<{
    state: string;
    attempts: number;
    look_ups: number;
    failure_reason: string | null;
    error_code: string | null;
  }>(
    'select state, attempts, look_ups, failure_reason, error_code from deliveries where chat_id = ? order by id',
    [chat.chatId],
  );

const statusesOf = async (chat: SmsConversation) =>
  (await chat.history()).map(({ smsDeliveryStatus, smsDeliveryFailureReason }) => [
    smsDeliveryStatus,
    smsDeliveryFailureReason,
  ]);

/** The current details of the run in the Temporal UI. */
const noted = async (chat: SmsConversation): Promise<string> => {
  const handle = system.run('deliverMessages', chat.chatUuid);
  const details = await handle.query<string>('__temporal_workflow_metadata').catch(() => ({}));
  return JSON.stringify(details);
};

/** Wakes the run as its timer would after this time. */
function wake(chat: SmsConversation, afterMs = 0): Promise<void> {
  aheadMs += afterMs;
  return system.run('deliverMessages', chat.chatUuid).signal('poke');
}

/** A chat with a member to whose handset the carrier behaves like this. */
async function openChatWith(knobs: Parameters<typeof system.carrier.turn>[0]): Promise<SmsConversation> {
  const chat = await workspace.openChat();
  await system.carrier.turn({ handset: chat.texter.phone, ...knobs });
  return chat;
}

describe('the deliverMessages run', () => {
  it('sends messages in order and ends after the last receipt', async () => {
    const chat = await workspace.openChat();
    const texts = ['one', 'two', 'three', 'four', 'five'];

    for (const text of texts) await post(chat, text);

    await chat.settled();
    await system.run('deliverMessages', chat.chatUuid).result();
    expect(await chat.carried()).toEqual(texts);
    expect(await statusesOf(chat)).toEqual(texts.map(() => ['delivered', null]));
  });

  it('applies receipts that are repeated, late or out of order correctly', async () => {
    const chat = await openChatWith({ doubled: true, outOfOrder: true, late: [0, 50] });

    await post(chat, 'one');
    await post(chat, 'two');

    await chat.settled();
    expect(await statusesOf(chat)).toEqual([
      ['delivered', null],
      ['delivered', null],
    ]);
    expect(await chat.carried()).toEqual(['one', 'two']);
  });

  it('waits as long as a busy carrier demands, and sends once', async () => {
    const chat = await openChatWith({ busy: { rate: 1, retryAfterSeconds: 2 } });
    const before = Date.now();

    await post(chat, 'patience');

    await chat.settled();
    expect(Date.now() - before).toBeGreaterThan(2_000);
    expect(await chat.carried()).toEqual(['patience']);
    expect(await deliveriesOf(chat)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('never retries a message that the carrier refused, and continues with the next', async () => {
    const chat = await openChatWith({ refuse: { code: 21211, rate: 1 } });

    await post(chat, 'refused');
    await chat.settled();
    const run = system.run('deliverMessages', chat.chatUuid);
    const result = await run.result();
    const details = await noted(chat);
    await post(chat, 'taken');

    await chat.settled();
    expect(await chat.carried()).toEqual(['taken']);
    const [refused] = await chat.history();
    const failures = { [refused?.id ?? 0]: refused?.smsDeliveryFailureReason };
    expect(result).toEqual({ messages: 1, sent: 0, failed: 1, failures });
    expect(details).toContain(`failed: 1 (message ${refused?.id}: \`${refused?.smsDeliveryFailureReason}\`)`);
    expect(await deliveriesOf(chat)).toMatchObject([
      { state: 'failed', attempts: 1, error_code: '21211' },
      { state: 'delivered' },
    ]);
  });

  it('opts the member out when the carrier reports an opt-out', async () => {
    const chat = await openChatWith({ refuse: { code: 21610, rate: 1 } });

    await post(chat, 'unwanted');
    await waitFor('it failed', async () => (await deliveriesOf(chat))[0]?.state === 'failed');
    await post(chat, 'unwanted as well', 400);

    await chat.settled();
    expect(await chat.carried()).toEqual([]);
    expect((await statusesOf(chat)).map(([status]) => status)).toEqual(['failed']);
  });

  it('checks the opt-out immediately before sending', async () => {
    const chat = await openChatWith({ busy: { rate: 1, retryAfterSeconds: 1 } });

    await post(chat, 'queued before');
    await waitFor('the carrier was busy', async () => (await deliveriesOf(chat))[0]?.attempts === 1);
    await chat.write('STOP');

    await chat.settled();
    expect(await deliveriesOf(chat)).toMatchObject([{ state: 'failed', failure_reason: 'opted_out' }]);
    expect((await chat.carried()).filter((text) => text.includes('queued before'))).toEqual([]);
  });
});

describe('an unusable carrier account', () => {
  it('fails no message: they wait, cost one call in total, and resume without intervention', async () => {
    const [first, second] = [await workspace.openChat(), await workspace.openChat()];
    await system.carrier.turn({ unauthorized: 1 });

    await post(first, 'first of the one');
    await waitFor('the run waits', async () =>
      (await noted(first)).includes('cannot be used; tries again at'),
    );
    await post(second, 'first of the other');
    await waitFor('the run waits', async () =>
      (await noted(second)).includes('cannot be used; tries again at'),
    );
    for (const chat of [first, second]) {
      expect(await deliveriesOf(chat)).toMatchObject([{ state: 'queued', attempts: 0 }]);
      expect(await statusesOf(chat)).toEqual([['sent', null]]);
    }

    await wake(first, 120_000);
    await first.settled();
    await wake(second);
    await second.settled();

    for (const chat of [first, second]) {
      expect(await chat.carried()).toHaveLength(1);
      expect(await deliveriesOf(chat)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    }
  });

  it('delays the look-up of a lost attempt until it is usable again', async () => {
    const chat = await openChatWithLostAnswer();
    const { phone } = chat.texter;
    await system.carrier.turn({ handset: phone, unauthorized: 1 });

    await wake(chat, 61_000);
    const isAsked = async () => (await system.carrier.knobs(phone)).unauthorized === 0;
    await waitFor('the carrier was asked', isAsked);
    expect(await deliveriesOf(chat)).toMatchObject([{ state: 'claimed' }]);
    await wake(chat, 120_000);

    await waitFor('it is found', async () => (await deliveriesOf(chat))[0]?.state !== 'claimed');
    expect(await deliveriesOf(chat)).toMatchObject([{ failure_reason: null, attempts: 1 }]);
  });
});

/** A chat with a message that the carrier has taken, although its answer and its receipts are lost. */
async function openChatWithLostAnswer(): Promise<SmsConversation> {
  const chat = await openChatWith({ dropConnectionAfterAccept: 1, lost: true });
  await post(chat, 'taken, but nobody said so');
  await waitFor('it is with the carrier', async () => (await chat.carried()).length === 1);
  await waitFor('the answer is lost', async () => (await deliveriesOf(chat))[0]?.state === 'claimed');
  return chat;
}

describe('a delivery attempt with an unknown outcome', () => {
  const expectBothSentOnce = async (chat: SmsConversation) => {
    await waitFor('both are sent', async () =>
      (await deliveriesOf(chat)).every(({ state }) => state === 'delivered' || state === 'sent'),
    );
    expect(await chat.carried()).toEqual(['taken, but nobody said so', 'the next']);
    expect((await deliveriesOf(chat)).map(({ attempts }) => attempts)).toEqual([1, 1]);
  };

  it('is resolved by the status callback and never repeated', async () => {
    const chat = await openChatWith({ dropConnectionAfterAccept: 1 });

    await post(chat, 'once only');
    await post(chat, 'the next');

    await chat.settled();
    expect(await chat.carried()).toEqual(['once only', 'the next']);
    expect(await deliveriesOf(chat)).toMatchObject([
      { state: 'delivered', attempts: 1 },
      { state: 'delivered', attempts: 1 },
    ]);
  });

  it('is looked up at the carrier if no callback arrives', async () => {
    const chat = await openChatWithLostAnswer();
    await post(chat, 'the next');
    expect(await deliveriesOf(chat)).toMatchObject([{ state: 'claimed' }, { state: 'queued' }]);

    await wake(chat, 61_000);

    await expectBothSentOnce(chat);
  });

  it('fails with unknown_outcome if the carrier does not know it', async () => {
    const chat = await openChatWith({ busy: { rate: 1, status: 502 } });
    await post(chat, 'lost on the way');
    await waitFor('the answer is lost', async () => (await deliveriesOf(chat))[0]?.state === 'claimed');

    await wake(chat, 61_000);
    await waitFor('the carrier was asked', async () => (await deliveriesOf(chat))[0]?.look_ups === 1);
    await wake(chat, 600_000);

    await chat.settled();
    expect(await chat.carried()).toEqual([]);
    expect(await deliveriesOf(chat)).toMatchObject([
      { state: 'failed', attempts: 1, failure_reason: 'unknown_outcome' },
    ]);
  });

  it('is not repeated if the run was at a standstill before the look-up', { timeout: 120_000 }, async () => {
    const chat = await openChatWithLostAnswer();
    await post(chat, 'the next');
    await release.breakWriting('deliveries');

    await wake(chat, 61_000);
    await stoodStill(system.run('deliverMessages', chat.chatUuid));
    expect(await chat.carried()).toEqual(['taken, but nobody said so']);
    await release.repair();
    await wake(chat);

    await expectBothSentOnce(chat);
  });
});

describe('a message that begins an exchange', () => {
  const clockTime = (ahead: number) => new Date(Date.now() + ahead).toISOString().slice(11, 16);
  const hour = 3_600_000;

  it('waits by the timer of its run for the end of quiet hours, and answers do not', async () => {
    await workspace.asAdmin('PUT', '', {
      timezone: 'UTC',
      quietHours: { from: clockTime(-2 * hour), to: clockTime(2 * hour) },
    });
    onTestFinished(async () => {
      await workspace.asAdmin('PUT', '', { quietHours: null });
    });
    const tree: RevisionTask = {
      name: 'Remind',
      taskType: 'message',
      configuration: { text: 'Come at ten.' },
      children: [
        { name: 'End', taskType: 'conclude', choicePrompt: 'End', configuration: { outcome: 'done' } },
      ],
    };
    const chat = await workspace.begin(await workspace.publish(tree));
    await waitFor('the run waits', async () => (await noted(chat)).includes('the end of the quiet hours'));
    await post(chat, 'Come at once.');
    await waitFor('the colleague is heard', async () => (await chat.carried()).length === 1);
    expect(await chat.carried()).toEqual(['Come at once.']);

    await wake(chat, 2 * hour + 16 * 60_000);

    await chat.settled();
    expect(await chat.carried()).toEqual(['Come at once.', 'Come at ten.']);
  });

  /** A colleague opens six chats from a number, each with ten segments, which the carrier sends at its pace. */
  async function campaign(
    segmentsPerSecond: number,
    line: { segmentsPerSecond: number; queueSeconds: number },
  ) {
    const { id, number } = await addPhoneNumber(workspace, { segmentsPerSecond });
    await system.carrier.turn({ handset: number, line });
    const texters = await Promise.all(Array.from({ length: 6 }, () => workspace.addTexter()));
    const opened = texters.map(async ({ memberId }) => {
      const chat = { channel: 'phone-sms', phoneNumberId: id, memberId, assistantEnabled: false };
      expect(
        (await workspace.asAdmin('POST', '/chats', { ...chat, initialMessage: 'x'.repeat(1_400) })).status,
      ).toBe(201);
    });
    await Promise.all(opened);
    return () =>
      workspace.select<{ state: string; failures: number; slot_at: Date | null }>(
        'select state, failures, slot_at from deliveries where sender = ? order by id',
        [number],
      );
  }

  it('keeps to the pace of its number, which the carrier takes', async () => {
    // Without the pace, the carrier would refuse the last two.
    const deliveries = await campaign(5, { segmentsPerSecond: 5, queueSeconds: 6 });
    await waitFor('all are delivered', async () =>
      (await deliveries()).every(({ state }) => state === 'delivered'),
    );
    expect(await deliveries()).toMatchObject(Array(6).fill({ state: 'delivered', failures: 0 }));
  });

  it('is refused by the carrier without that pace, and tried again later', async () => {
    const deliveries = await campaign(1_000, { segmentsPerSecond: 0.5, queueSeconds: 5 });
    // A refusal pauses the number, so that a message which comes after it waits without having been tried.
    const isPaused = (slotAt: Date | null) => slotAt !== null && slotAt.getTime() > Date.now();
    await waitFor('some are accepted, and the others wait', async () =>
      (await deliveries()).every(
        ({ state, failures, slot_at }) =>
          /^(sent|delivered)$/.test(state) || failures > 0 || isPaused(slot_at),
      ),
    );
    expect((await deliveries()).filter(({ failures }) => failures > 0)).not.toEqual([]);
  });
});
