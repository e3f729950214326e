import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { patchDelivery } from '../../../../db/channels/deliveries.js';
import { selectPendingFollowUps } from '../../../../db/conversations/follow-ups.js';
import type { Tx } from '../../../../db/tx.js';
import { describeCurrentTask } from '../../../../domain/assignments/inspect-assignment.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { nextDelivery } from '../../../../domain/channels/deliveries/next-delivery.js';
import { waitingChats } from '../../../../domain/conversations/chats/repair-chats.js';
import { wakeWorkspace, workspaceHolds } from '../../../../domain/conversations/holds/wake-workspace.js';
import { scheduleMessage } from '../../../../domain/conversations/scheduled-messages/schedule-message.js';
import { sendScheduledMessage } from '../../../../domain/conversations/scheduled-messages/send-scheduled-message.js';
import { type HoldWorkspace, holdWorkspace } from '../../../../domain/identity/workspaces/hold-workspace.js';
import { resumeWorkspace } from '../../../../domain/identity/workspaces/resume-workspace.js';
import { stageCall } from '../../../support/calls/staged-call.js';
import { stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { addFollowUp } from '../../../support/chats/follow-ups.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { emptyOutbox } from '../../../support/db/empty-outbox.js';
import { days, hours, MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { talk } from '../../../workflows/small-trees.js';
import { call, reply, runToolCall, Turn, toolResult } from '../../agent/take-round.js';

const { database } = useWorkspace();
let workspace: TestWorkspace;

const inside = <T>(work: (tx: Tx) => Promise<T>) =>
  database.database.inWorkspace(workspace.workspaceId, work);
const as = (clock: MovedClock) => workspace.context(workspace.admin, clock);
const hold = (clock: MovedClock, input: HoldWorkspace = {}) => holdWorkspace(as(clock), input);
const resume = (clock: MovedClock) => resumeWorkspace(as(clock));

/** What the run does that wakes the workspace, with a relay that takes everything at once. @returns what it has poked */
async function wakeAll(clock: MovedClock): Promise<string[]> {
  const poked: string[] = [];
  for (;;) {
    const { finished } = await wakeWorkspace({ db: database.database, clock }, workspace.workspaceId);
    const entries = await inside((tx) => tx('outbox').select('run_type', 'subject'));
    poked.push(...entries.map(({ run_type, subject }) => `${run_type} ${subject}`));
    await emptyOutbox(database);
    if (finished) return poked;
  }
}

beforeEach(async () => {
  workspace = await createWorkspace(database.database);
  await emptyOutbox(database);
});

const isHeld = { kind: 'idle', isHeld: true };

describe('an assignment of a held workspace', () => {
  it('rests, says so, alerts a colleague, and goes on after the end of the hold', async () => {
    const staged = await stageAssignment(workspace, talk('Hall', 'Hello.'));
    await staged.memberWrites('Hello?');
    await hold(staged.clock);
    const state = 'the workspace is held, rests until the hold ends';

    expect(await staged.advance()).toEqual({ kind: 'wait', taskName: 'Hall', state });
    expect(await new Turn(staged).prepare()).toMatchObject({ result: { kind: 'nothing_to_say' } });
    expect((await describeCurrentTask(as(staged.clock), staged.assignmentId)).state).toBe(state);
    expect(await staged.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'workspace_held' });

    await emptyOutbox(database);
    await resume(staged.clock);
    expect(await wakeAll(staged.clock)).toContainEqual(expect.stringMatching(/^wakeAssignments/));
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
    expect(await staged.chat()).toMatchObject({ needsResponse: false });
  });

  it('that begins in the hold does not enter its root task before the end', async () => {
    const clock = new MovedClock();
    await hold(clock);

    const staged = await stageAssignment(workspace, talk('Hall', 'Hello.'));

    expect(await staged.task('Hall')).toMatchObject({ visitedAt: null });
    await resume(clock);
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });
  });
});

describe('a chat without an assignment in a held workspace', () => {
  it('has no turn and no follow-up, alerts a colleague, and is poked once by the end of the hold', async () => {
    const chat = await stageFreeChat(workspace);
    await chat.memberWrites('Hello?');
    await addFollowUp(workspace, chat.chatId, { dueAt: new Date(chat.clock.now().getTime() + hours(1)) });
    await hold(chat.clock);
    chat.clock.advance(hours(2));

    expect(await chat.advance()).toEqual(isHeld);
    expect(await chat.advance()).toEqual(isHeld);
    expect(await inside((tx) => selectPendingFollowUps(tx, chat.chatId))).toHaveLength(1);
    expect(await chat.chat()).toMatchObject({ needsResponseReason: 'workspace_held' });
    expect(await new Turn(chat).prepare()).toMatchObject({ result: { kind: 'nothing_to_say' } });

    await resume(chat.clock);
    const { uuid } = await chat.chat();
    expect(await wakeAll(chat.clock)).toContain(`answerChat ${uuid}`);
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
    expect(await chat.chat()).toMatchObject({ needsResponse: false });
  });

  it('drops an answer that the model has begun', async () => {
    const chat = await stageFreeChat(workspace);
    await chat.memberWrites('Hello?');
    const turn = new Turn(chat);
    const asked = await turn.ask();
    await hold(chat.clock);

    expect(await turn.record(asked, reply('Too late'))).toEqual({ kind: 'nothing_to_say' });
    expect((await chat.messages()).map(({ content }) => content)).toEqual(['Hello?']);
  });

  it('runs no tool call that the model has asked for before, and the turn stays due', async () => {
    const chat = await stageFreeChat(workspace);
    await chat.memberWrites('Hello?');
    const turn = new Turn(chat);
    const result = await turn.take(call(['send_email', { subject: 'Hello', text: 'Hello' }]));
    if (result.kind !== 'tools') throw new Error('a tool is called');
    const [toolCallId = ''] = result.toolCallIds;
    await hold(chat.clock);

    expect(await runToolCall(chat, toolCallId)).toMatchObject({ endsTurn: true });

    expect(await toolResult(chat, toolCallId)).toMatchObject({ ok: false });
    await resume(chat.clock);
    expect(await chat.advance()).toMatchObject({ kind: 'turn' });
  });

  it('is not begun again by the net for missing runs while the hold goes on', async () => {
    const chat = await stageFreeChat(workspace);
    await chat.memberWrites('Hello?');
    await emptyOutbox(database);
    const missing = async () => {
      const context = { db: database.database, clock: chat.clock };
      const { items } = await waitingChats.answers.page(context, workspace.workspaceId);
      return items.some(({ id }) => id === chat.chatId);
    };
    expect(await missing()).toBe(true);

    await hold(chat.clock);

    expect(await missing()).toBe(false);
  });
});

describe('a message that is to be sent in a held workspace', () => {
  const next = (clock: MovedClock, chatId: number) =>
    nextDelivery({ db: database.database, clock }, { workspaceId: workspace.workspaceId, chatId });

  it('waits, also if a colleague has written it, and is sent after days, though it would have expired', async () => {
    const clock = new MovedClock();
    const stage = await stageDeliveries(workspace, clock);
    const { delivery } = await stage.write('Your appointment');
    await hold(clock);
    expect(await next(clock, stage.chatId)).toEqual(isHeld);
    clock.advance(days(3));
    await resume(clock);

    expect(await wakeAll(clock)).toContain(`deliverMessages ${(await stage.chat()).uuid}`);
    expect(await next(clock, stage.chatId)).toMatchObject({ kind: 'send', deliveryId: delivery.id });
    const ref = { workspaceId: workspace.workspaceId, deliveryId: delivery.id };
    const claimed = await claimDelivery({ db: database.database, clock }, ref, randomUUID());
    expect(claimed).toMatchObject({ kind: 'claimed', body: 'Your appointment' });
  });

  it('is sent at once if it confirms an opt-out', async () => {
    const clock = new MovedClock();
    const stage = await stageDeliveries(workspace, clock);
    const { delivery } = await stage.write('You are opted out.');
    await inside((tx) => patchDelivery(tx, delivery.id, { purpose: 'opt_out_confirmation' }));

    await hold(clock);

    expect(await next(clock, stage.chatId)).toMatchObject({ kind: 'send', deliveryId: delivery.id });
  });

  it('expires after the hold as any other', async () => {
    const clock = new MovedClock();
    const stage = await stageDeliveries(workspace, clock);
    const { delivery, message } = await stage.write('Your appointment');
    await hold(clock);
    clock.advance(minutes(10));
    await resume(clock);
    clock.advance(days(3));

    const ref = { workspaceId: workspace.workspaceId, deliveryId: delivery.id };
    expect(await claimDelivery({ db: database.database, clock }, ref, randomUUID())).toEqual({
      kind: 'settled',
    });
    expect(await stage.delivery(message.uuid)).toMatchObject({ state: 'failed', failureReason: 'expired' });
  });

  it('waits for its time and for the hold, if it is scheduled, and is not too late afterwards', async () => {
    const chat = await stageFreeChat(workspace);
    const sendAt = new Date(chat.clock.now().getTime() + hours(1)).toISOString();
    const { id } = await scheduleMessage(chat.colleague, {
      chatId: chat.chatId,
      message: 'How are you?',
      sendAt,
      toolCalls: [],
    });
    const step = () =>
      sendScheduledMessage(chat.colleague, { workspaceId: workspace.workspaceId, scheduledMessageId: id });
    await hold(chat.clock);
    chat.clock.advance(days(2));
    expect(await step()).toMatchObject({ kind: 'wait', isHeld: true });
    await resume(chat.clock);

    expect(await wakeAll(chat.clock)).toContainEqual(expect.stringMatching(/^sendScheduledMessage/));
    expect(await step()).toEqual({ kind: 'ended', outcome: 'sent' });
  });
});

describe('a call that is asked for in a held workspace', () => {
  it('is dialled after the end of the hold, once', async () => {
    const member = await addMember(workspace);
    const chat = await stageFreeChat(workspace, { member });
    const staged = await stageCall(workspace, chat.clock, chat.chatId);
    await hold(chat.clock);
    expect(await staged.advance()).toMatchObject({ kind: 'wait', for: 'held' });
    chat.clock.advance(hours(5));
    expect(await staged.advance()).toMatchObject({ kind: 'wait', for: 'held' });
    expect(staged.calls.created).toEqual([]);
    await resume(chat.clock);

    expect(await wakeAll(chat.clock)).toContainEqual(expect.stringMatching(/^runVoiceCall/));
    await staged.advance();
    await staged.advance();
    expect(staged.calls.created).toHaveLength(1);
  });
});

describe('the end of a hold', () => {
  const look = (clock: MovedClock) => wakeWorkspace({ db: database.database, clock }, workspace.workspaceId);
  const chosen = (clock: MovedClock) => new Date(clock.now().getTime() + hours(1));

  it('comes by itself at its time, by nobody, and wakes what rests', async () => {
    const clock = new MovedClock();
    const until = chosen(clock);
    await hold(clock, { until });
    expect(await look(clock)).toEqual({ woken: 0, finished: true, until: until.getTime() });
    clock.advance(hours(1));

    await wakeAll(clock);

    const rows = await inside((tx) => tx('workspace_holds').orderBy('id', 'desc').limit(1));
    expect(rows).toMatchObject([{ ended_at: clock.now(), ended_by_member_id: null, woken_at: clock.now() }]);
    expect(await look(clock)).toEqual({ woken: 0, finished: true });
  });

  it('comes at the time that was given last, or not at all once that is taken back', async () => {
    const clock = new MovedClock();
    await hold(clock, { until: chosen(clock), reason: 'First' });
    const later = new Date(clock.now().getTime() + hours(3));
    expect(await hold(clock, { until: later })).toMatchObject({ until: later, reason: 'First' });
    clock.advance(hours(2));
    expect(await look(clock)).toMatchObject({ until: later.getTime() });

    await hold(clock, { until: null });
    clock.advance(hours(2));

    expect(await look(clock)).toEqual({ woken: 0, finished: true });
    expect(await workspaceHolds.page({ db: database.database, clock }, workspace.workspaceId)).toMatchObject({
      items: [],
    });
  });

  it('is looked for by the net for missing runs, until all is woken', async () => {
    const clock = new MovedClock();
    const listed = async () =>
      (await workspaceHolds.page({ db: database.database, clock }, workspace.workspaceId)).items.length;
    await hold(clock, { until: chosen(clock) });
    expect(await listed()).toBe(0);
    await emptyOutbox(database);
    expect(await listed()).toBe(1);

    await resume(clock);
    await emptyOutbox(database);
    expect(await listed()).toBe(1);
    await wakeAll(clock);
    expect(await listed()).toBe(0);
  });
});
