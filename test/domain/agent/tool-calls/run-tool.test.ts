import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { selectPendingFollowUps } from '../../../../db/conversations/follow-ups.js';
import { cancelAssignment } from '../../../../domain/assignments/cancel-assignment.js';
import { selectTask } from '../../../../domain/assignments/select-task.js';
import { type UpdateChat, updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { loadRevision } from '../../../../domain/definitions/workflow-revisions/workflow-revisions.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { hours } from '../../../support/lib/moved-clock.js';
import { recordsOfMember } from '../../../support/records/records-of-member.js';
import { addMember, randomTag } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { call, reply, runToolCall, Turn, toolResult } from '../take-round.js';

const suite = useWorkspace();
const everyAbility = ['handoff', 'conclude', 'schedule_follow_up', 'send_sms', 'read_data'];
const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask.',
  abilities: everyAbility.map((abilityType) => ({ abilityType })),
  children: [
    { name: 'Good', taskType: 'conclude', configuration: { outcome: 'good' } },
    { name: 'Closed', taskType: 'conversation', celGuard: 'assignment.is_test' },
    { name: 'Text', taskType: 'message', configuration: { text: 'A text' }, autoNext: true },
  ],
};
const talk = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  prompt: 'Talk.',
  ...more,
});
const steps: RevisionTask = {
  name: 'Later',
  taskType: 'wait',
  configuration: { for: 'P1D' },
  autoNext: true,
  abilities: [{ abilityType: 'conclude' }],
  children: [
    talk('First', { autoNext: true }),
    talk('Second', { autoNext: true, abilities: [{ abilityType: 'handoff' }] }),
  ],
};
const stage = (rootTask = root, options = {}) => stageAssignment(suite.workspace, rootTask, options);
const inWorkspace = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

const uuidOf = async (staged: StagedAssignment, name: string): Promise<string> => {
  const { definitionId } = await staged.assignment();
  const revision = await inWorkspace((tx) => loadRevision(tx, definitionId, staged.revisionId));
  const found = revision.rootTask?.children.find((task) => task.name === name);
  if (found === undefined) throw new Error(`there is no task ${name}`);
  return found.uuid;
};

/** A colleague selects a task. */
const enter = async ({ context, workspaceId, assignmentId, task }: StagedAssignment, name: string) =>
  selectTask(context, {
    workspaceId,
    assignmentId,
    assignmentTaskId: (await task(name)).id,
    requestUuid: randomUUID(),
    actorMemberId: suite.workspace.admin.memberId,
    byOperator: true,
  });

/** Lets the agent make one tool call in its own turn. */
async function callOnce(staged: StagedAssignment, name: string, input: object) {
  const { toolCallIds, endsTurn } = await new Turn(staged).run(call([name, input]));
  const [toolCallId = ''] = toolCallIds;
  return { toolCallId, endsTurn, result: await toolResult(staged, toolCallId) };
}

/** Stores tool calls of the agent without running them. */
async function decided(staged: StagedAssignment, ...calls: [string, object][]): Promise<string[]> {
  const result = await new Turn(staged).take(call(...calls));
  if (result.kind !== 'tools') throw new Error(`no tools are called: ${result.kind}`);
  return result.toolCallIds;
}

describe('runToolCall', () => {
  it('runs a tool call once, however often it is invoked', async () => {
    const staged = await stage(root, { channel: 'phone-sms' });
    const [toolCallId = ''] = await decided(staged, ['send_sms', { text: 'See you' }]);

    const outcomes = await Promise.all(Array.from({ length: 5 }, () => runToolCall(staged, toolCallId)));

    expect(outcomes).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ endsTurn: false })));
    const messages = await staged.messages();
    expect(messages.filter(({ content }) => content === 'See you')).toHaveLength(1);
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
  });

  it('includes the tool call and its result in the next model request', async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    const { toolCallIds } = await turn.run(
      call(['schedule_follow_up', { after: 'P1D', instructions: 'Ask' }]),
    );

    const asked = await turn.ask();

    expect(asked.messages.slice(1)).toMatchObject([
      { role: 'assistant', toolCalls: [{ id: toolCallIds[0], name: 'schedule_follow_up' }] },
      { role: 'tool', toolCallId: toolCallIds[0], content: expect.stringContaining('"ok":true') },
    ]);
  });

  it.each([
    ['of a tool that there is not', 'place_call', {}, 'tool_not_available'],
    ['with arguments that do not fit', 'schedule_follow_up', { after: 'soon' }, 'invalid_arguments'],
    ['without what is required', 'handoff', {}, 'invalid_arguments'],
  ])('returns an error result for a call %s', async (_what, name, input, error) => {
    const { result, endsTurn } = await callOnce(await stage(), name, input);

    expect(result).toMatchObject({ ok: false, error });
    expect(endsTurn).toBe(false);
  });

  const change = (changes: UpdateChat) => (staged: StagedAssignment) =>
    updateChat(staged.context, staged.chatId, changes);
  const overtaking: [string, (staged: StagedAssignment) => Promise<unknown>, boolean][] = [
    ['the assignment has ended', (staged) => cancelAssignment(staged.context, staged), false],
    ['a colleague has the chat', (staged) => staged.operatorWrites('I do it'), true],
    ['the chat is paused', change({ paused: true }), true],
    ['the assistant is disabled', change({ assistantEnabled: false }), false],
  ];

  it.each(overtaking)('changes nothing when %s in the meantime', async (_what, overtake, endsTurn) => {
    const staged = await stage();
    const [toolCallId = ''] = await decided(staged, ['conclude', { outcome: 'done' }]);
    await overtake(staged);
    const before = await staged.assignment();

    expect(await runToolCall(staged, toolCallId)).toMatchObject({ endsTurn });

    expect(await toolResult(staged, toolCallId)).toEqual({ ok: false, error: 'overtaken' });
    expect(await staged.assignment()).toEqual(before);
  });

  it('does not apply a call to the next task when its own task was left in the meantime', async () => {
    const staged = await stage(steps);
    await enter(staged, 'First');
    const [toolCallId = ''] = await decided(staged, ['complete_task', {}]);
    await enter(staged, 'Second');

    await runToolCall(staged, toolCallId);

    expect(await staged.currentTask()).toBe('Second');
    expect((await staged.task('Second')).completedAt).toBeNull();
  });

  it('applies a call once when one answer holds it twice', async () => {
    const staged = await stage(steps);
    await enter(staged, 'First');
    const calls = await decided(staged, ['complete_task', {}], ['complete_task', {}]);

    for (const toolCallId of calls) await runToolCall(staged, toolCallId);

    expect(await staged.currentTask()).toBe('Second');
    expect((await staged.task('Second')).completedAt).toBeNull();
  });

  it('ends the turn for an unknown tool call id', async () => {
    expect(await runToolCall(await stage(), 'call_nobody_made')).toMatchObject({ endsTurn: true });
  });
});

describe('select_task', () => {
  it('enters a task that it offers', async () => {
    const staged = await stage();

    const { result, endsTurn } = await callOnce(staged, 'select_task', {
      task: await uuidOf(staged, 'Good'),
    });

    expect(result).toMatchObject({ ok: true, status: 'completed' });
    expect(endsTurn).toBe(true);
    expect(await staged.assignment()).toMatchObject({ status: 'completed', outcome: 'good' });
  });

  it('does not offer a task whose guard does not hold', async () => {
    const staged = await stage();

    const { result } = await callOnce(staged, 'select_task', { task: await uuidOf(staged, 'Closed') });

    expect(result).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(await staged.currentTask()).toBe('Ask');
  });

  it('does not end the turn when the agent has to speak in the new task', async () => {
    const staged = await stage(root, { isTest: true });
    const turn = new Turn(staged);

    const { endsTurn } = await turn.run(call(['select_task', { task: await uuidOf(staged, 'Closed') }]));

    expect(endsTurn).toBe(false);
    expect(await turn.take(reply('Let us go on'))).toEqual({ kind: 'replied' });
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Closed' });
  });

  it('ends the turn when the new task sends a message by itself', async () => {
    const staged = await stage(root, { channel: 'phone-sms' });

    const { endsTurn } = await callOnce(staged, 'select_task', { task: await uuidOf(staged, 'Text') });

    expect(endsTurn).toBe(true);
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Text' });
  });
});

describe('handoff', () => {
  it('pauses the chat for a person, and gives unanswered messages back to the agent on resume', async () => {
    const staged = await stage();
    await staged.memberWrites('I want a person');

    const { endsTurn } = await callOnce(staged, 'handoff', { reason: 'asked for a person' });

    expect(endsTurn).toBe(true);
    expect(await staged.chat()).toMatchObject({
      paused: true,
      pausedReason: 'handoff',
      needsResponse: true,
      needsResponseReason: 'handoff',
    });
    expect(await staged.advance()).toMatchObject({ kind: 'wait', state: 'paused, a person has it' });

    await updateChat(suite.workspace.context(), staged.chatId, { paused: false });
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Ask' });
  });
});

describe('conclude', () => {
  it('ends the assignment with its outcome and reason', async () => {
    const staged = await stage();

    const { endsTurn } = await callOnce(staged, 'conclude', { outcome: 'refused', outcomeReason: 'No time' });

    expect(endsTurn).toBe(true);
    expect(await staged.assignment()).toMatchObject({
      status: 'completed',
      outcome: 'refused',
      outcomeReason: 'No time',
    });
  });

  it('leaves a message that arrived in the meantime to the run of the chat', async () => {
    const staged = await stage();
    const [toolCallId = ''] = await decided(staged, ['conclude', { outcome: 'done' }]);
    await staged.memberWrites('One more thing');

    await runToolCall(staged, toolCallId);

    const chat = await staged.chat();
    expect(chat.version).toBeGreaterThan(chat.handledVersion);
  });
});

describe('send_sms', () => {
  it('returns an error to the model when the SMS cannot be sent', async () => {
    const { result } = await callOnce(await stage(), 'send_sms', { text: 'See you' });

    expect(result).toEqual({ ok: false, error: 'missing_phone_number' });
  });
});

describe('schedule_follow_up', () => {
  const followUps = (staged: StagedAssignment) =>
    inWorkspace((tx) => selectPendingFollowUps(tx, staged.chatId));
  const scheduled = async () => {
    const staged = await stage();
    const turn = new Turn(staged);
    await turn.run(call(['schedule_follow_up', { after: 'PT2H', instructions: 'Ask about the knee' }]));
    await turn.take(reply('I will come back to you'));
    return staged;
  };

  it('lets the agent speak once when the follow-up is due', async () => {
    const staged = await scheduled();
    const until = staged.clock.now().getTime() + hours(2);

    expect(await staged.advance()).toMatchObject({ kind: 'wait', until });
    staged.clock.advance(hours(2));
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Ask' });
    expect((await staged.messages()).at(-1)).toMatchObject({
      role: 'system',
      author: 'system',
      content: 'A follow-up is due: Ask about the knee',
    });

    const { messages } = await new Turn(staged).ask();
    expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1);
    expect(messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(
        /^\[Note of the service, .*: "A follow-up is due: Ask about the knee"\]$/,
      ),
    });
    await new Turn(staged).take(reply('How is the knee?'));
    const step = await staged.advance();
    expect(step.kind).toBe('wait');
    expect(step).not.toHaveProperty('until');
  });

  it('cancels pending follow-ups when the assignment ends', async () => {
    const staged = await scheduled();

    await cancelAssignment(staged.context, staged);

    expect(await followUps(staged)).toEqual([]);
  });
});

describe('save_data and read_data', () => {
  const stageCollect = async () => {
    const member = await addMember(suite.workspace, { role: suite.workspace.roles.member });
    const slug = `intake_${randomTag()}`;
    await createDataType(suite.workspace.context(), {
      name: 'Intake',
      slug,
      isCollection: false,
      fields: [
        { slug: 'town', name: 'Town', fieldType: 'text', required: true },
        { slug: 'born', name: 'Born', fieldType: 'date', required: true },
      ],
    });
    const rootTask: RevisionTask = {
      name: 'Gather',
      taskType: 'collect',
      configuration: { dataTypeSlug: slug, fieldSlugs: ['town', 'born'] },
      abilities: [{ abilityType: 'read_data' }],
      autoNext: true,
      children: [{ name: 'Thank', taskType: 'conversation', abilities: [{ abilityType: 'conclude' }] }],
    };
    const staged = await stage(rootTask, { member });
    const records = () => inWorkspace((tx) => recordsOfMember(tx, member.memberId));
    const setAccessMode = (mode: number) =>
      inWorkspace((tx) =>
        tx('data_records').where({ member_id: member.memberId }).update({ access_mode: mode }),
      );
    return { staged, slug, records, member, setAccessMode };
  };

  it('store a part of the fields, and move to the next task once all required ones are there', async () => {
    const { staged, slug, records } = await stageCollect();
    const turn = new Turn(staged);

    const first = await turn.run(call(['save_data', { town: 'Springfield' }]));
    expect(await toolResult(staged, first.toolCallIds[0] ?? '')).toMatchObject({
      ok: true,
      missing: ['born'],
      currentTask: 'Gather',
    });
    const { toolCallIds } = await turn.run(
      call(['read_data', { dataType: slug }], ['save_data', { born: '1980-05-17' }]),
    );
    const [read = '', saved = ''] = toolCallIds;

    expect(await toolResult(staged, read)).toEqual({ ok: true, records: [{ town: 'Springfield' }] });
    expect(await toolResult(staged, saved)).toMatchObject({ ok: true, missing: [], currentTask: 'Thank' });
    expect(await records()).toMatchObject([{ assignmentTaskId: (await staged.task('Gather')).id }]);
    expect(await turn.take(reply('Thank you'))).toEqual({ kind: 'replied' });
  });

  it('complete a record that is hidden from the member, and do not read it out', async () => {
    const { staged, slug, records, setAccessMode } = await stageCollect();
    const turn = new Turn(staged);
    await turn.run(call(['save_data', { town: 'Springfield' }]));
    await setAccessMode(2);

    const { toolCallIds } = await turn.run(
      call(['read_data', { dataType: slug }], ['save_data', { born: '1980-05-17' }]),
    );
    const [read = '', saved = ''] = toolCallIds;

    expect(await toolResult(staged, read)).toEqual({ ok: true, records: [] });
    expect(await toolResult(staged, saved)).toMatchObject({ ok: true, missing: [] });
    expect(await records()).toMatchObject([{ fieldValues: { town: 'Springfield', born: '1980-05-17' } }]);
  });

  it.each([
    ['read-only', 1, false],
    ['hidden', 2, false],
    ['shared', 3, false],
    ['open', 0, true],
  ])(
    'let the save_data ability write only a record that the member may write: %s',
    async (_, accessMode, writes) => {
      const gathered = await stageCollect();
      await new Turn(gathered.staged).run(call(['save_data', { town: 'Springfield' }]));
      await gathered.setAccessMode(accessMode);
      const config = { dataTypeSlug: gathered.slug, fieldSlugs: ['town'] };
      const abilities = [{ abilityType: 'save_data', config }, { abilityType: 'handoff' }];
      const task = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', abilities } as const;
      const staged = await stage(task, { member: gathered.member });

      const { result } = await callOnce(staged, 'save_data', { town: 'Shelbyville' });

      expect(result).toMatchObject(writes ? { ok: true } : { ok: false, error: 'record_not_writable' });
      const [record] = await gathered.records();
      expect(record?.fieldValues).toEqual({ town: writes ? 'Shelbyville' : 'Springfield' });
    },
  );

  it('refuse invalid values and store nothing', async () => {
    const { staged, records } = await stageCollect();

    const { result, endsTurn } = await callOnce(staged, 'save_data', { born: 'in spring' });

    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).toContain('/born');
    expect(endsTurn).toBe(false);
    expect(await records()).toEqual([]);
  });
});
