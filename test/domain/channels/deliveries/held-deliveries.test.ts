import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryRow, patchDelivery } from '../../../../db/channels/deliveries.js';
import { lockChat, patchChat } from '../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { QuietHours } from '../../../../db/identity/models/workspace.js';
import { awaitTime } from '../../../../domain/channels/deliveries/await-time.js';
import { hasMovedOn } from '../../../../domain/channels/deliveries/has-moved-on.js';
import { queueDelivery } from '../../../../domain/channels/deliveries/queue-delivery.js';
import { recordDeliveryNews } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { weekdays } from '../../../../domain/channels/outreach/quiet-hours.js';
import { smsLifeSpanMs } from '../../../../domain/channels/sms/sms-channel.js';
import { noteOfColleague } from '../../../../domain/conversations/chats/note-of-colleague.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { useDeliveries } from '../../../support/chats/use-deliveries.js';
import { hours, type MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { talk } from '../../../workflows/small-trees.js';

const { workspace, clock, stage, goOnWith, context, refOf, next, claim } = useDeliveries();

const clockTime = (moment: Date) => moment.toISOString().slice(11, 16);
/** Quiet hours that began an hour before a moment, and end three hours after it. */
const around = (moment: Date): QuietHours => ({
  from: clockTime(new Date(moment.getTime() - hours(1))),
  to: clockTime(new Date(moment.getTime() + hours(3))),
  days: [...weekdays],
});
const setQuietHours = (quietHours: QuietHours | null, timezone = 'UTC') =>
  workspace.database.identity.workspaces.update(workspace.workspaceId, { quietHours, timezone });

beforeEach(async () => {
  await setQuietHours(around(clock.now()));
});

/** What the run of a chat does until it has to wait: which messages it sends. */
async function run(chatId = stage.chatId) {
  const sent: string[] = [];
  for (;;) {
    const step = await next(chatId);
    if (step.kind !== 'send') return { sent, next: step };
    const ref = refOf({ id: step.deliveryId });
    if (step.begins && !(await awaitTime(context(), ref))) continue;
    const claimed = await claim({ id: step.deliveryId });
    if (claimed.kind !== 'claimed') continue;
    sent.push(claimed.body);
    await recordDeliveryNews(context(), ref, claimed.attempt, {
      state: 'sent',
      carrierMessageId: randomUUID(),
    });
  }
}

/** The agent, or a task, says something in the chat. */
async function say(text: string, { forTask = false } = {}): Promise<DeliveryRow> {
  const uuid = await workspace.within(async (tx) => {
    const chat = await lockChat(tx, stage.chatId);
    if (chat === undefined) throw new Error('the chat is gone');
    const written = { chatId: chat.id, role: 'assistant', content: text } as const;
    const message = await insertMessage(tx, { ...written, author: forTask ? 'workflow' : 'agent' });
    expect(await queueDelivery(tx, chat, message, clock.now(), { forTask })).toBeUndefined();
    return message.uuid;
  });
  return stage.delivery(uuid);
}
const rowOf = ({ id }: DeliveryRow) => workspace.within((tx) => tx('deliveries').where({ id }).first());
const stateOf = async (delivery: DeliveryRow) => {
  const { state, failure_reason } = await rowOf(delivery);
  return failure_reason === null ? state : `${state}: ${failure_reason}`;
};
/** Moves the clock behind the end of the quiet hours, and the time over which what they held is spread. */
const untilMorning = () => clock.advance(hours(3) + minutes(16));
const memberWrote = (ago: number, smsKeyword: 'start' | null = null) =>
  workspace.within(async (tx) => {
    const lastMessageReceivedAt = new Date(clock.now().getTime() - ago);
    const heard = { carrierReceivedAt: lastMessageReceivedAt, smsKeyword };
    await insertMessage(tx, {
      chatId: stage.chatId,
      role: 'user',
      author: 'member',
      content: 'Hi',
      ...heard,
    });
    await patchChat(tx, stage.chatId, { lastMessageReceivedAt });
  });

describe('a message in quiet hours', () => {
  it.each([
    ['of an agent that begins', {}, 'agent'],
    ['of a task', { forTask: true }, 'task'],
  ])('%s waits for their end, and expires hours after it', async (_whose, options, begunBy) => {
    const delivery = await say('Good evening', options);

    const { sent, next } = await run();

    expect(sent).toEqual([]);
    const { held_until: heldUntil, not_before, expires_at, begun_by } = await rowOf(delivery);
    expect(begun_by).toBe(begunBy);
    expect(next).toEqual({ kind: 'wait', until: heldUntil.getTime(), code: 'quiet_hours' });
    expect(not_before).toEqual(heldUntil);
    const waits = heldUntil.getTime() - clock.now().getTime();
    expect(waits).toBeGreaterThan(hours(3) - minutes(1));
    expect(waits).toBeLessThan(hours(3) + minutes(15));
    expect(expires_at.getTime() - heldUntil.getTime()).toBe(smsLifeSpanMs);
    untilMorning();
    expect((await run()).sent).toEqual(['Good evening']);
  });

  it('keeps its order after their end, and what is said meanwhile expires no sooner', async () => {
    await setQuietHours({
      ...around(clock.now()),
      to: clockTime(new Date(clock.now().getTime() + hours(9))),
    });
    const first = await say('One');
    const second = await say('Two');
    await run();
    clock.advance(hours(1));
    const third = await say('Three');
    expect((await run()).next).toMatchObject({ kind: 'wait', code: 'quiet_hours' });
    const { held_until: heldUntil } = await rowOf(first);
    for (const other of [second, third]) expect(await rowOf(other)).toMatchObject({ held_until: heldUntil });
    // After the end of the hours, and before what they held is sent.
    await setQuietHours(null);
    await say('Four');
    expect((await run()).sent).toEqual([]);
    clock.advance(heldUntil.getTime() - clock.now().getTime());
    expect((await run()).sent).toEqual(['One', 'Two', 'Three', 'Four']);
  });

  it('is not held in an answer, within an hour of what the member wrote', async () => {
    await stage.memberWrites('Are you there?');
    clock.advance(minutes(50));
    await say('Yes');
    await say('Here is the address', { forTask: true });
    expect((await run()).sent).toEqual(['Yes', 'Here is the address']);
  });

  it('is not held if it is the first that the agent says since, however late', async () => {
    await memberWrote(hours(3));
    expect((await say('Sorry for the delay')).begunBy).toBeNull();
    expect((await run()).sent).toEqual(['Sorry for the delay']);
  });

  it('is held if the agent follows up what it has answered', async () => {
    await memberWrote(hours(3));
    await say('An answer');
    const followUp = await say('How are you now?');
    expect(followUp).toMatchObject({ purpose: 'reply', begunBy: 'agent' });
    expect((await run()).sent).toEqual(['An answer']);
  });

  it('is held although the member has sent a keyword, or another person has written in the chat', async () => {
    await memberWrote(minutes(5), 'start');
    expect((await say('Welcome back')).begunBy).toBe('agent');
    await workspace.within((tx) =>
      insertMessage(tx, { chatId: stage.chatId, role: 'user', author: 'person', content: 'I look into it' }),
    );
    expect((await say('How are you?')).begunBy).toBe('agent');
  });

  it('is held for a task hours after what the member wrote', async () => {
    await memberWrote(hours(3));
    expect((await say('A reminder', { forTask: true })).begunBy).toBe('task');
  });

  it('is never held if a colleague writes it, who overtakes what is held', async () => {
    await say('Good evening');
    await run();
    await stage.write('Please come at once');
    expect((await run()).sent).toEqual(['Please come at once']);
  });

  it('blocks no answer to what the member writes', async () => {
    await say('A task’s question', { forTask: true });
    await run();
    await stage.memberWrites('Hello?');
    await say('Hello');
    expect((await run()).sent).toEqual(['Hello']);
  });

  it('is sent at once where there are no quiet hours now', async () => {
    await setQuietHours(null);
    await say('One');
    expect((await run()).sent).toEqual(['One']);
    await setQuietHours(around(new Date(clock.now().getTime() + hours(12))));
    await say('Two');
    expect((await run()).sent).toEqual(['Two']);
  });

  it('is held by the clock of the workspace, and of UTC if its time zone is unknown', async () => {
    await setQuietHours(around(clock.now()), 'Asia/Kolkata');
    await say('In India it is day');
    expect((await run()).sent).toEqual(['In India it is day']);
    await setQuietHours(around(clock.now()), 'Mars/Olympus_Mons');
    await say('Nobody knows');
    expect((await run()).next).toMatchObject({ kind: 'wait', code: 'quiet_hours' });
  });

  it('is held again if the hours have changed, but not for longer than two days', async () => {
    const delivery = await say('Good evening');
    await run();
    untilMorning();
    await setQuietHours(around(clock.now()));
    expect((await run()).next).toMatchObject({ code: 'quiet_hours' });
    expect(await stateOf(delivery)).toBe('queued');
    clock.advance(hours(45));
    const later = new Date(clock.now().getTime() + hours(1));
    await workspace.within((tx) =>
      patchDelivery(tx, delivery.id, { expiresAt: later, notBefore: clock.now() }),
    );
    await setQuietHours(around(clock.now()));
    await run();
    expect(await stateOf(delivery)).toBe('failed: expired');
    expect((await stage.chat()).needsResponseReason).toBe('delivery_failed');
  });

  it('fails visibly if it is not sent in time after their end, and a person is told', async () => {
    const delivery = await say('Good evening');
    await run();
    untilMorning();
    clock.advance(smsLifeSpanMs);
    await run();
    expect(await stateOf(delivery)).toBe('failed: expired');
    expect(await stage.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'delivery_failed' });
  });

  it('is not sent any more if the member has unsubscribed meanwhile', async () => {
    const delivery = await say('Good evening');
    await run();
    await workspace.within((tx) =>
      tx('members').where({ id: stage.member.memberId }).update({ sms_opted_out_at: clock.now() }),
    );
    untilMorning();
    await run();
    expect(await stateOf(delivery)).toBe('failed: opted_out');
  });

  it('lets late receipts of the chat be asked for', async () => {
    const { delivery } = await stage.write('A word');
    await run();
    await say('Good evening');
    await run();
    clock.advance(hours(1) + minutes(1));
    expect(await next(stage.chatId)).toEqual({ kind: 'ask_for_receipt', deliveryId: delivery.id });
  });

  it('is held once, however many workers come to it', async () => {
    const delivery = await say('Good evening');
    const answers = await Promise.all(Array.from({ length: 5 }, () => awaitTime(context(), refOf(delivery))));
    expect(answers).toEqual(Array(5).fill(false));
    expect(await stateOf(delivery)).toBe('queued');
  });
});

const pausedByColleague = () => {
  const pausedByMemberId = workspace.admin.memberId;
  return { paused: true, pausedAt: clock.now(), pausedReason: 'operator', pausedByMemberId };
};

describe('what was held, if the chat has moved on', () => {
  it.each([
    ['the member wrote', () => stage.memberWrites('I am well')],
    ['a colleague wrote', () => stage.write('I take over')],
    ['it was archived', () => workspace.within((tx) => patchChat(tx, stage.chatId, { archived: true }))],
    ['a colleague has it', () => workspace.within((tx) => patchChat(tx, stage.chatId, pausedByColleague()))],
  ])('is dropped for the agent: %s', async (_what, move) => {
    const delivery = await say('How are you?');
    await run();
    await move();
    untilMorning();
    await run();
    expect(await stateOf(delivery)).toBe('failed: chat_moved_on');
    expect((await stage.chat()).needsResponseReason).not.toBe('delivery_failed');
  });

  it('is sent for the agent although a colleague left a note', async () => {
    const delivery = await say('How are you?');
    await run();
    await workspace.within((tx) =>
      noteOfColleague(tx, stage.chatId, workspace.admin.memberId, 'Moved house in May.'),
    );
    untilMorning();
    expect((await run()).sent).toEqual(['How are you?']);
    expect(await stateOf(delivery)).toBe('sent');
  });

  const begin = async (): Promise<{ staged: StagedAssignment; delivery: () => Promise<string> }> => {
    const root: RevisionTask = {
      name: 'Greet',
      taskType: 'message',
      configuration: { text: 'Hello' },
      children: [talk('Talk', 'Hello again.')],
    };
    const staged = await stageAssignment(workspace, root, { channel: 'phone-sms' });
    goOnWith({ clock: staged.clock as MovedClock });
    await setQuietHours(around(clock.now()));
    await run(staged.chatId);
    const read = () =>
      workspace.within((tx) => tx('deliveries').where({ chat_id: staged.chatId }).orderBy('id').first());
    expect(await read()).toMatchObject({ state: 'queued', begun_by: 'task', held_until: expect.any(Date) });
    const delivery = async () => {
      const { state, failure_reason } = await read();
      return failure_reason ?? state;
    };
    return { staged, delivery };
  };

  it('is sent for a task that still stands in it, although the member wrote', async () => {
    const { staged, delivery } = await begin();
    await staged.memberWrites('Hello?');
    untilMorning();
    expect((await run(staged.chatId)).sent).toEqual(['Hello']);
    expect(await delivery()).toBe('sent');
  });

  it('is dropped for a task that was left', async () => {
    const { staged, delivery } = await begin();
    const { id: taskId } = await staged.task('Talk');
    await workspace.within(async (tx) =>
      tx('assignments').where({ id: staged.assignmentId }).update({ current_task_id: taskId }),
    );
    untilMorning();
    await run(staged.chatId);
    expect(await delivery()).toBe('chat_moved_on');
  });

  it('is dropped for a task that was entered again', async () => {
    const { staged, delivery } = await begin();
    const { id } = await staged.task('Greet');
    const last = (await staged.messages()).at(-1)?.id ?? 0;
    await workspace.within(async (tx) =>
      tx('assignment_tasks').where({ id }).update({ entered_after_message_id: last, message_id: null }),
    );
    untilMorning();
    await run(staged.chatId);
    expect(await delivery()).toBe('chat_moved_on');
  });

  it('is dropped for the agent if its task was completed meanwhile, and kept if it was before', async () => {
    const { staged } = await begin();
    const { id, taskId } = await staged.task('Greet');
    const ofAgent = { chatId: staged.chatId, role: 'assistant', author: 'agent', taskId } as const;
    const message = await workspace.within((tx) => insertMessage(tx, { ...ofAgent, content: 'Did you?' }));
    const hasMoved = async (completedAt: Date) => {
      await workspace.within(async (tx) =>
        tx('assignment_tasks').where({ id }).update({ completed_at: completedAt }),
      );
      const chat = await staged.chat();
      return workspace.within((tx) =>
        hasMovedOn(tx, chat, { messageId: message.id, begunBy: 'agent', channel: 'phone-sms' }),
      );
    };
    expect(await hasMoved(new Date(message.createdAt.getTime() - 1_000))).toBe(false);
    expect(await hasMoved(new Date(message.createdAt.getTime() + 1_000))).toBe(true);
  });

  it('is dropped for an assignment that was cancelled', async () => {
    const { staged, delivery } = await begin();
    await workspace.within(async (tx) =>
      tx('assignments')
        .where({ id: staged.assignmentId })
        .update({ status: 'cancelled', concluded_at: clock.now() }),
    );
    untilMorning();
    await run(staged.chatId);
    expect(await delivery()).toBe('chat_moved_on');
  });

  it('shows in the timeline until when it is held, and what became of it', async () => {
    const { staged } = await begin();
    untilMorning();
    await run(staged.chatId);
    const entries = await workspace.within((tx) =>
      tx('assignment_timeline_entries')
        .where({ chat_id: staged.chatId, kind: 'delivery' })
        .orderBy('id')
        .select('code', 'reason', 'until'),
    );
    expect(entries).toEqual([
      { code: 'held', reason: 'quiet_hours', until: expect.any(Date) },
      { code: 'sent', reason: null, until: null },
    ]);
  });
});
