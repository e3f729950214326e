import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { advanceAssignment } from '../../../domain/assignments/advance-assignment.js';
import { claimDelivery } from '../../../domain/channels/deliveries/claim-delivery.js';
import { nextDelivery } from '../../../domain/channels/deliveries/next-delivery.js';
import { recordDeliveryNews } from '../../../domain/channels/deliveries/record-delivery-news.js';
import { receiveSms } from '../../../domain/conversations/chats/receive-sms.js';
import { updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { hours, minutes } from '../../support/lib/moved-clock.js';
import { addMember, randomTag } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();
const stage = (rootTask: RevisionTask, options = {}) => stageAssignment(suite.workspace, rootTask, options);

const talk = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: 'Talk.',
  abilities: [{ abilityType: 'conclude' }],
  ...more,
});
const end = (name: string, configuration = {}): RevisionTask => ({
  name,
  taskType: 'conclude',
  configuration,
});
const say = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'message',
  configuration: { text: 'Dear {{ member.name }}' },
  autoNext: true,
  ...more,
});
const wait = (configuration: Record<string, unknown>, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name: 'Wait',
  taskType: 'wait',
  configuration,
  autoNext: true,
  children: [talk('After')],
  ...more,
});
const called = (needsResponseReason: string) => ({ needsResponse: true, needsResponseReason });

/** Takes the next message of the chat to the carrier, which reports `news` for it. */
async function deliver(staged: StagedAssignment, news: { state: 'sent' | 'failed'; errorCode?: string }) {
  const { context, workspaceId, chatId } = staged;
  const next = await nextDelivery(context, { workspaceId, chatId });
  if (next.kind !== 'send') throw new Error('there is nothing to send');
  const ref = { workspaceId, deliveryId: next.deliveryId };
  await claimDelivery(context, ref, randomUUID());
  await recordDeliveryNews(context, ref, 1, news);
}

describe('advanceAssignment at a conversation task', () => {
  it('returns a turn for as long as the agent has not answered', async () => {
    const staged = await stage(talk('Talk'));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
  });

  it('waits without a turn while a person has the chat', async () => {
    const staged = await stage(talk('Talk'));
    await staged.operatorWrites('I am here');

    expect(await staged.advance()).toMatchObject({ kind: 'wait', state: 'paused, a person has it' });
  });
});

describe('the tasks that a step names', () => {
  it('are the last eight that were visited, the current one at the end', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `Part ${index + 1}`);
    const staged = await stage(say('Start', { children: [...names.map((name) => say(name)), talk('Stay')] }));

    expect(await staged.advance()).toMatchObject({
      kind: 'turn',
      taskName: 'Stay',
      walk: [...names.slice(3), 'Stay'],
    });
  });
});

describe('advanceAssignment at a decision task', () => {
  const fork = (first: string): RevisionTask => ({
    name: 'Fork',
    taskType: 'decision',
    children: [talk('One', { celCondition: first }), talk('Two')],
  });

  it('takes the first child whose condition holds', async () => {
    const one = await stage(fork('chat.channel == "web-chat"'));
    const two = await stage(fork('chat.channel == "email"'));

    expect([await one.currentTask(), await two.currentTask()]).toEqual(['One', 'Two']);
    expect(await two.advance()).toMatchObject({ kind: 'turn', taskName: 'Two' });
    expect(await two.messages()).toEqual([]);
  });

  const never = end('Never');
  never.celCondition = 'chat.channel == "email"';
  const undecided: RevisionTask = { name: 'Fork', taskType: 'decision', children: [never] };

  it('stands and alerts a colleague when no condition holds, whatever the agent could do', async () => {
    const staged = await stage({ ...undecided, abilities: [{ abilityType: 'handoff' }] });

    const state = expect.stringContaining('the conditions of all tasks that could come next are false');
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Fork', state });
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Fork', state });

    expect(await staged.chat()).toMatchObject(called('no_choice_holds'));
    expect(await staged.task('Fork')).toMatchObject({ completedAt: null });
    await staged.memberWrites('Hello?');
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Fork' });
  });

  it('goes on behind the decision when no condition holds and its author says so', async () => {
    const staged = await stage({ ...undecided, configuration: { otherwise: 'next' } });

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });
});

describe('advanceAssignment at a message task', () => {
  it('sends the escaped text and completes the task at once on web chat', async () => {
    const staged = await stage(
      say('Greet', { configuration: { text: '2 {{ "*" }} 2' }, children: [end('End')] }),
    );

    expect(await staged.messages()).toMatchObject([{ role: 'assistant', content: '2 \\* 2' }]);
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });

  it('completes the task when the carrier has accepted the SMS', async () => {
    const staged = await stage(say('Greet', { children: [talk('Talk')] }), { channel: 'phone-sms' });

    const state = 'waits for the message to be sent';
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Greet', state });
    await deliver(staged, { state: 'sent' });
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Talk' });
    expect((await staged.task('Greet')).completedAt).toEqual(staged.clock.now());
  });

  it('says that a completed task with tasks to choose waits for a message or a select', async () => {
    const staged = await stage(say('Greet', { autoNext: false, children: [end('End')] }), {
      channel: 'phone-sms',
    });

    await deliver(staged, { state: 'sent' });
    expect(await staged.advance()).toMatchObject({
      kind: 'wait',
      taskName: 'Greet',
      state: 'completed, waits for a message or a select',
    });
    expect((await staged.chat()).needsResponse).toBe(false);
  });

  it('sends a long text as several SMS, each within the size limit of the carrier', async () => {
    const text = 'A sentence of some length. '.repeat(100).trim();
    const staged = await stage(say('Long', { configuration: { text } }), { channel: 'phone-sms' });

    const sent = (await staged.messages()).map(({ content }) => String(content));

    expect(sent.length).toBeGreaterThan(1);
    expect(sent.every((part) => part.length <= 1_600)).toBe(true);
    expect(sent.join(' ')).toBe(text);
  });

  it('alerts a colleague once when the SMS cannot be delivered', async () => {
    const staged = await stage(say('Greet', { children: [talk('Talk')] }), { channel: 'phone-sms' });

    await deliver(staged, { state: 'failed', errorCode: '30005' });
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Greet' });
    expect(await staged.chat()).toMatchObject(called('delivery_failed'));

    await staged.operatorWrites('I will call you');
    await staged.advance();
    expect((await staged.chat()).needsResponse).toBe(false);
  });
});

describe('advanceAssignment at a wait task', () => {
  it('does not wait again at a completed wait that stays the current task', async () => {
    const abilities = [{ abilityType: 'conclude' }];
    const staged = await stage(wait({ for: 'PT2H' }, { autoNext: false, children: [], abilities }));
    staged.clock.advance(hours(3));

    await staged.advance();

    expect(await staged.advance()).not.toHaveProperty('until');
  });

  it('continues when the duration has passed', async () => {
    const staged = await stage(wait({ for: 'PT2H' }));
    const until = staged.clock.now().getTime() + hours(2);

    const state = 'waits for the time to come';
    expect(await staged.advance()).toEqual({
      kind: 'wait',
      taskName: 'Wait',
      walk: expect.any(Array),
      state,
      until,
    });
    staged.clock.advance(hours(2) - 1);
    expect(await staged.advance()).toMatchObject({ kind: 'wait', until });
    staged.clock.advance(1);
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'After' });
  });

  it('continues at the given time', async () => {
    const staged = await stage(wait({ until: '{{ now + duration("30m") }}' }));
    const until = staged.clock.now().getTime() + minutes(30);

    expect(await staged.advance()).toMatchObject({ kind: 'wait', until });
    staged.clock.advance(minutes(30));
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'After' });
  });

  it.each([
    ['cannot be read', '{{ member.name }}', 'unreadable_time'],
    ['is too far away', '{{ "9999" }}-01-01', 'time_out_of_range'],
  ])('alerts a colleague when the time %s', async (what, until, reason) => {
    const staged = await stage(wait({ until }));

    const state = `its time ${what}; waits for a select or the end of the assignment`;
    expect(await staged.advance()).toEqual({
      kind: 'wait',
      taskName: 'Wait',
      walk: expect.any(Array),
      state,
      stands: reason,
    });
    expect(await staged.chat()).toMatchObject(called(reason));
  });

  it('continues at once when the time is in the past', async () => {
    const staged = await stage(wait({ until: '2001-10-01' }));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'After' });
    expect((await staged.chat()).needsResponse).toBe(false);
  });

  it.each([
    ['Asia/Tokyo', '01:00'],
    // UTC is the value of an account that never set a zone: the zone of the workspace applies.
    ['UTC', '04:30'],
  ])('reads a time in the zone of the account (%s), else of the workspace', async (timezone, utc) => {
    const { identity } = suite.database.database;
    const { workspaceId, member } = suite.workspace;
    const set = async (ofAccount: string, ofWorkspace: string) => {
      await identity.accounts.update(member.accountId, { timezone: ofAccount });
      await identity.workspaces.update(workspaceId, { timezone: ofWorkspace });
    };
    await set(timezone, 'Asia/Kolkata');
    onTestFinished(() => set('UTC', 'UTC'));
    const day = new Date(Date.now() + 30 * hours(24)).toISOString().slice(0, 10);

    const staged = await stage(wait({ until: `${day}T10:00` }));

    expect(await staged.advance()).toMatchObject({ until: Date.parse(`${day}T${utc}Z`) });
  });

  it('continues early on a reply of the member when unlessReply is set', async () => {
    const staged = await stage(say('Ask', { children: [wait({ for: 'P1D', unlessReply: true })] }));

    await staged.memberWrites('Here I am');

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'After' });
  });

  it.each(['HELP', 'STOP'])('does not continue on the keyword %s, which is no reply', async (keyword) => {
    const ask = say('Ask', { children: [wait({ for: 'P1D', unlessReply: true })] });
    const member = await addMember(suite.workspace);
    const staged = await stage(ask, { channel: 'phone-sms', member });
    await deliver(staged, { state: 'sent' });
    await staged.advance();
    const [sender] = await suite.workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      tx<{ number: string }>('phone_numbers').orderBy('id', 'desc').limit(1).select('number'),
    );

    await receiveSms(staged.context, {
      carrierMessageId: `SM-${keyword}-${staged.chatId}`,
      from: member.row.phone ?? '',
      to: sender?.number ?? '',
      body: keyword,
    });

    expect((await staged.messages()).at(-1)).toMatchObject({ role: 'assistant' });
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Wait' });
  });

  it('lets the agent answer and keeps waiting when unlessReply is not set', async () => {
    const staged = await stage(wait({ for: 'P1D' }));

    await staged.memberWrites('Here I am');

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Wait' });
  });

  it('leaves the choice to the agent without autoNext', async () => {
    const staged = await stage(wait({ for: 'PT1H' }, { autoNext: false }));

    staged.clock.advance(hours(1));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Wait' });
    expect((await staged.task('Wait')).completedAt).not.toBeNull();
  });
});

describe('advanceAssignment at a handoff task', () => {
  const handoff: RevisionTask = {
    name: 'Hand over',
    taskType: 'handoff',
    configuration: {
      message: 'A colleague will be with you, {{ member.name }}.',
      reason: 'asked for a person',
    },
    autoNext: true,
    children: [talk('After')],
  };

  it('pauses the agent, alerts a colleague, and writes a message to the member and a note', async () => {
    const staged = await stage(handoff);

    expect(await staged.chat()).toMatchObject({
      paused: true,
      pausedReason: 'handoff',
      ...called('handoff'),
    });
    expect(await staged.messages()).toMatchObject([
      {
        role: 'assistant',
        author: 'workflow',
        content: expect.stringContaining('A colleague will be with you'),
      },
      { role: 'system', author: 'workflow', content: 'Handed over: asked for a person' },
    ]);
    await staged.memberWrites('Hello?');
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Hand over' });
  });

  it('continues when the chat is resumed', async () => {
    const staged = await stage(handoff);

    await updateChat(suite.workspace.context(), staged.chatId, { paused: false });

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'After' });
    expect((await staged.chat()).needsResponse).toBe(false);
  });
});

describe('advanceAssignment at a collect task', () => {
  const collecting = async (more: Partial<RevisionTask> = {}, configuration = {}) => {
    const slug = `intake_${randomTag()}`;
    const dataType = await createDataType(suite.workspace.context(), {
      name: 'Intake',
      slug,
      isCollection: false,
      fields: [
        { slug: 'town', name: 'Town', fieldType: 'text', required: true },
        { slug: 'hobby', name: 'Hobby', fieldType: 'text' },
      ],
    });
    const root: RevisionTask = {
      name: 'Gather',
      taskType: 'collect',
      configuration: { dataTypeSlug: slug, fieldSlugs: ['town', 'hobby'], ...configuration },
      autoNext: true,
      children: [end('End')],
      ...more,
    };
    const write = () =>
      createDataRecord(suite.workspace.context(), dataType.id, {
        memberId: suite.workspace.member.memberId,
        fieldValues: { town: 'Springfield' },
      });
    return { root, write };
  };

  it('returns a turn until the required fields have values, which wake the run', async () => {
    const { root, write } = await collecting();
    const staged = await stage(root);
    const { uuid } = await staged.assignment();
    const pokes = () =>
      suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) => {
        const found = await tx('outbox').where({ subject: uuid, action: 'poke' });
        return found.length;
      });
    const before = await pokes();

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Gather' });
    await write();
    expect(await pokes()).toBe(before + 1);
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });

  it('completes the task when its time limit comes, unless the fields have values by then', async () => {
    const late = { ...end('Late'), celCondition: '"Gather" in tasks.timed_out' };
    const { root, write } = await collecting({ children: [late, end('End')] }, { atMost: 'PT24H' });
    const [slow, quick] = [await stage(root), await stage(root)];
    for (const staged of [slow, quick]) {
      await staged.advance();
      await new Turn(staged).take(reply('Where do you live?'));
    }
    const until = slow.clock.now().getTime() + hours(24);
    const state = 'waits for the member, or for the time to come';
    expect(await slow.advance()).toMatchObject({ kind: 'wait', taskName: 'Gather', state, until });
    slow.clock.advance(hours(24));
    expect(await slow.advance()).toMatchObject({ kind: 'concluded', taskName: 'Late' });
    expect(await slow.task('Gather')).toMatchObject({ endedBy: 'time_limit', dueAt: null });

    await write();
    quick.clock.advance(hours(24));

    expect(await quick.advance()).toMatchObject({ kind: 'concluded', taskName: 'End' });
    expect(await quick.task('Gather')).toMatchObject({ endedBy: null });
  });

  it('completes the task at once when the fields had values before', async () => {
    const { root, write } = await collecting();
    await write();

    const staged = await stage(root);

    expect((await staged.assignment()).status).toBe('completed');
  });

  it('leaves the choice to the agent without autoNext', async () => {
    const { root, write } = await collecting({ autoNext: false });
    await write();

    const staged = await stage(root);

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Gather' });
  });
});

describe('advanceAssignment at the end of an assignment', () => {
  it('stores the outcome and the rendered reason', async () => {
    const outcomeReason = 'On {{ chat.channel }}';
    const staged = await stage(
      say('Greet', { children: [end('End', { outcome: 'greeted', outcomeReason })] }),
    );

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect(await staged.assignment()).toMatchObject({
      outcome: 'greeted',
      outcomeReason: 'On web-chat',
      concludedAt: staged.clock.now(),
    });
  });

  it('concludes when no task is left', async () => {
    const staged = await stage(say('One', { children: [say('Two'), say('Three')] }));

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect(await staged.messages()).toHaveLength(3);
  });

  it('does not conclude while a required task was skipped, and returns a turn', async () => {
    const skipped = talk('Needed', { required: true, celCondition: 'assignment.is_test' });
    const staged = await stage(say('One', { children: [skipped, say('Two')] }));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Two' });
    expect((await staged.assignment()).status).toBe('active');
  });

  it('fails with loop_detected after a hundred automatic steps without a person or a timer', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => say(`Step ${index}`));
    const hundred = await stage(say('Start', { children: many(99) }));
    const more = await stage(say('Start', { children: many(100) }));

    expect(await hundred.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect(await more.advance()).toMatchObject({ kind: 'concluded', status: 'failed' });
    expect((await more.assignment()).outcome).toBe('loop_detected');
    expect(await more.messages()).toHaveLength(100);
  });

  it('restarts the count of automatic steps at a timer', async () => {
    const many = (name: string) => Array.from({ length: 60 }, (_, index) => say(`${name} ${index}`));
    const between = wait({ for: 'PT1H' }, { children: [] });
    const staged = await stage(say('Start', { children: [...many('Before'), between, ...many('After')] }));

    staged.clock.advance(hours(1));

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });

  it('reports an assignment that does not exist as deleted', async () => {
    const staged = await stage(talk('Talk'));
    const { workspaceId } = staged;

    const step = await advanceAssignment(staged.context, { workspaceId, assignmentId: 987_654_321 });

    expect(step).toMatchObject({ kind: 'concluded', status: 'deleted' });
  });
});
