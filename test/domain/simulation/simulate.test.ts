import { beforeAll, describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { Entry } from '../../../domain/simulation/entries.js';
import type { ScriptStep, SimulationInput } from '../../../domain/simulation/script.js';
import { simulateRevision } from '../../../domain/simulation/simulate-revision.js';
import { Simulations } from '../../../domain/simulation/simulations.js';
import { describeEntry } from '../../../tools/play/describe-entry.js';
import { publishDefinition } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const simulations = new Simulations({ agentBudgets: defaultAgentBudgets });
const startsAt = '2030-01-07T09:00:00.000Z';

async function simulate(rootTask: RevisionTask, input: SimulationInput = {}) {
  const { workflowId, revisionId } = await publishDefinition(workspace, rootTask);
  const ids = { workflowId, revisionId };
  return simulateRevision(workspace.context(), simulations, ids, { startsAt, ...input });
}

const walk = (rootTask: RevisionTask, ...script: ScriptStep[]) => simulate(rootTask, { script });

/** Each entry in a line. */
function linesOf({ entries }: { entries: readonly Entry[] }): string[] {
  return entries.map((entry) => {
    const { kind, task } = entry;
    switch (entry.kind) {
      case 'entered':
        return `${kind} ${task} (${entry.by})`;
      case 'message':
        return `${entry.from}: ${entry.text}`;
      case 'timer_set':
        return `${kind} ${task} ${entry.until.toISOString()}`;
      case 'tool':
        return `${entry.tool} ${JSON.parse(entry.result).ok}`;
      case 'needs_response':
      case 'refused':
        return `${kind} ${entry.reason}`;
      case 'delivery':
        return `${kind} ${entry.status}`;
      case 'concluded':
        return `${kind} ${entry.status} ${entry.outcome}`;
      default:
        return `${kind} ${task}`;
    }
  });
}

const end: RevisionTask = { name: 'End', taskType: 'conclude', configuration: { outcome: 'done' } };

beforeAll(async () => {
  await createDataType(workspace.context(), {
    name: 'Intake',
    slug: 'intake',
    isCollection: false,
    fields: [
      { slug: 'town', name: 'Town', fieldType: 'text', required: true },
      { slug: 'code', name: 'Code', fieldType: 'text' },
    ],
  });
});

describe('a walk', () => {
  it('has the answers that a reply suggests, also in the terminal', async () => {
    const other = { ...end, name: 'Other' };
    const { entries } = await walk(
      {
        name: 'Ask',
        taskType: 'conversation',
        abilities: [{ abilityType: 'suggest_answers' }],
        children: [end, other],
      },
      { agent: { say: 'Which one?' } },
    );

    const message = entries.find(({ kind }) => kind === 'message');
    expect(message).toMatchObject({ text: 'Which one?', suggestions: ['End', 'Other'] });
    expect(message && describeEntry(message)).toBe('agent   → Which one? [End] [Other]');
  });

  it('enters tasks, says texts, waits, and concludes, in order and on its own clock', async () => {
    const found = await walk(
      {
        name: 'Greet',
        taskType: 'message',
        autoNext: true,
        configuration: { text: 'Hello {{ member.name }}' },
        children: [
          {
            name: 'Pause',
            taskType: 'wait',
            autoNext: true,
            configuration: { for: 'P1D' },
            children: [
              {
                name: 'Bye',
                taskType: 'message',
                autoNext: true,
                configuration: { text: 'Bye' },
                children: [end],
              },
            ],
          },
        ],
      },
      { clock: 'next' },
    );

    expect(linesOf(found)).toEqual([
      'entered Greet (automatic)',
      'task: Hello Robin Sample',
      'completed Greet',
      'entered Pause (automatic)',
      'timer_set Pause 2030-01-08T09:00:00.000Z',
      'timer_came Pause',
      'completed Pause',
      'entered Bye (automatic)',
      'task: Bye',
      'completed Bye',
      'entered End (automatic)',
      'concluded completed done',
    ]);
    expect(found).toMatchObject({ status: 'completed', outcome: 'done', currentTask: 'End' });
    expect(found.waitsFor).toBeUndefined();
    expect(found.endsAt.toISOString()).toBe('2030-01-08T09:00:00.000Z');
  });

  it('takes the scripted answers of the agent: it says, calls tools, and selects tasks by name', async () => {
    const found = await walk(
      {
        name: 'Ask',
        taskType: 'collect',
        autoNext: true,
        prompt: 'Ask for the town.',
        configuration: { dataTypeSlug: 'intake', fieldSlugs: ['town'] },
        children: [
          {
            name: 'Choose',
            taskType: 'conversation',
            prompt: 'Ask what next.',
            children: [end, { ...end, name: 'Other' }],
          },
        ],
      },
      { agent: { say: 'Where do you live?' } },
      { member: 'In Lyon' },
      { agent: { calls: [{ name: 'save_data', arguments: { town: 'Lyon' } }], say: 'What next?' } },
      { member: 'That is all' },
      { agent: { select: 'Other' } },
    );

    expect(linesOf(found)).toEqual([
      'entered Ask (automatic)',
      'agent: Where do you live?',
      'member: In Lyon',
      'save_data true',
      'completed Ask',
      'entered Choose (automatic)',
      'agent: What next?',
      'member: That is all',
      'select_task true',
      'entered Other (agent)',
      'concluded completed done',
    ]);
    expect(found.entries.map(({ step }) => step)).toEqual([undefined, 0, 1, 2, 2, 2, 2, 3, 4, 4, 4]);
  });

  it('says what it waits for at its end', async () => {
    const conversation: RevisionTask = {
      name: 'Ask',
      taskType: 'conversation',
      prompt: 'Ask.',
      children: [end],
    };
    expect((await walk(conversation)).waitsFor).toEqual({
      task: 'Ask',
      what: 'waits for an answer of the agent',
    });
    expect((await walk(conversation, { agent: { say: 'Hi' } })).waitsFor).toEqual({
      task: 'Ask',
      what: 'waits for the member',
    });
    const wait: RevisionTask = {
      name: 'Pause',
      taskType: 'wait',
      configuration: { for: 'PT1H' },
      autoNext: true,
      children: [end],
    };
    expect((await walk(wait)).waitsFor).toEqual({
      task: 'Pause',
      what: 'waits for the time to come',
      until: new Date('2030-01-07T10:00:00.000Z'),
    });
  });

  it('names a change of data, and no time, where no condition of a decision holds', async () => {
    const trusted: RevisionTask = { ...end, celCondition: '"trusted" in member.labels' };
    const found = await walk({ name: 'Which', taskType: 'decision', children: [trusted] });
    expect(found.waitsFor).toEqual({
      task: 'Which',
      what: 'the conditions of all tasks that could come next are false; waits for a select, a change of the member or its records, or the end of the assignment',
    });
  });

  it('names no time where it only looks again whether a condition holds, to which time passes', async () => {
    const condition = '"trusted" in member.labels';
    const wait: RevisionTask = {
      name: 'Pause',
      taskType: 'wait',
      configuration: { condition },
      children: [end],
    };
    const waiting = { task: 'Pause', what: 'waits for its condition to hold' };
    expect((await walk(wait)).waitsFor).toEqual(waiting);
    expect((await walk(wait, { clock: 'next' })).waitsFor).toEqual(waiting);
  });

  it('sees the member, its labels and records, in conditions and texts', async () => {
    const found = await simulate(
      {
        name: 'Which',
        taskType: 'decision',
        children: [
          {
            name: 'Known',
            taskType: 'message',
            celCondition: `'vip' in member.labels && member.form_data.intake.town == 'Lyon'`,
            configuration: { text: '{{ member.name }} of {{ member.form_data.intake.town }}' },
            autoNext: true,
            children: [end],
          },
          { ...end, name: 'Unknown' },
        ],
      },
      {
        member: { name: 'Robin', locale: 'fr', labels: ['vip'], records: { intake: [{ town: 'Lyon' }] } },
      },
    );

    expect(linesOf(found)).toContain('task: Robin of Lyon');
    expect(found.currentTask).toBe('End');
  });

  it.each([
    { what: 'a label', awaits: { condition: `'vip' in member.labels` }, change: { labels: ['vip'] } },
    {
      what: 'a value',
      awaits: { condition: `member.form_data.intake.town == 'Lyon'` },
      change: { records: { intake: [{ town: 'Lyon' }] } },
    },
    {
      what: 'a changed record',
      awaits: { event: 'data_record:changed' },
      change: { records: { intake: [{ town: 'Lyon' }] } },
    },
    { what: 'a changed member', awaits: { event: 'member:updated' }, change: { labels: [] } },
  ])('ends a wait for $what when a system changes the member', async ({ awaits, change }) => {
    const wait: RevisionTask = {
      name: 'Wait',
      taskType: 'wait',
      autoNext: true,
      configuration: { ...awaits, atMost: 'P3D' },
      children: [end],
    };
    const other: ScriptStep = { change: { labels: ['other'] } };
    const member = { labels: ['other'], records: { intake: [{ code: 'x' }] } };
    const input = { member, script: [{ clock: 'PT1H' }, other, { clock: 'PT1H' }, { change }] };

    const { entries, endsAt } = await simulate(wait, input);

    expect(entries.at(-1)).toMatchObject({ kind: 'concluded', step: 3 });
    expect(endsAt).toEqual(new Date('2030-01-07T11:00:00.000Z'));
  });

  it('lets people select, write, resume and cancel, and tells what they are refused', async () => {
    const tasks: RevisionTask = {
      name: 'Ask',
      taskType: 'conversation',
      prompt: 'Ask.',
      abilities: [{ abilityType: 'handoff' }],
      children: [
        {
          name: 'Locked',
          taskType: 'message',
          celGuard: `'vip' in member.labels`,
          configuration: { text: 'Never' },
          autoNext: true,
        },
        {
          name: 'Hand',
          taskType: 'handoff',
          configuration: { message: 'A colleague comes' },
          autoNext: true,
        },
      ],
    };
    const found = await walk(
      tasks,
      { agent: { say: 'Hi' } },
      { select: { task: 'Locked' } },
      { select: { task: 'Hand', by: 'member' } },
      { operator: 'I am here' },
      { resume: true },
    );

    expect(linesOf(found)).toEqual([
      'entered Ask (automatic)',
      'agent: Hi',
      'refused task_not_allowed',
      'entered Hand (member)',
      'task: A colleague comes',
      'paused Hand',
      'needs_response handoff',
      'operator: I am here',
      'answered Hand',
      'resumed Hand',
      'completed Hand',
      'concluded completed null',
    ]);
    const cancelled = await walk(tasks, { cancel: { reason: 'Moved away' } });
    expect(cancelled).toMatchObject({ status: 'cancelled', outcomeReason: 'Moved away' });
  });

  it('names the field that is missing for a guard', async () => {
    const celGuard = 'member.form_data.intake.code == "x"';
    const tasks: RevisionTask = {
      name: 'Ask',
      taskType: 'conversation',
      prompt: 'Ask.',
      children: [{ ...end, name: 'Locked', celGuard }],
    };
    const found = await walk(tasks, { select: { task: 'Locked' } });

    expect(found.entries).toContainEqual(
      expect.objectContaining({ kind: 'refused', text: expect.stringMatching(/no such key: code\)$/) }),
    );
  });

  it('delivers SMS by the scripted carrier', async () => {
    const tasks: RevisionTask = {
      name: 'Greet',
      taskType: 'message',
      autoNext: true,
      configuration: { text: 'Hello' },
      children: [end],
    };
    const channel = 'phone-sms' as const;
    expect(linesOf(await simulate(tasks, { channel }))).toEqual([
      'entered Greet (automatic)',
      'task: Hello',
      'delivery delivered',
      'completed Greet',
      'entered End (automatic)',
      'concluded completed done',
    ]);
    const failing = await simulate(tasks, {
      channel,
      script: [{ carrier: { outcome: 'failed', errorCode: '30006' } }],
    });
    expect(linesOf(failing)).toEqual([
      'entered Greet (automatic)',
      'task: Hello',
      'delivery failed',
      'needs_response delivery_failed',
    ]);
    const stopped = await simulate(tasks, {
      channel,
      script: [{ carrier: { outcome: 'failed', errorCode: '30006' } }, { member: 'STOP' }],
    });
    expect(linesOf(stopped)).toContain('member: STOP');
    expect(linesOf(stopped).at(-1)).toMatch(/^service: You are unsubscribed/);
  });

  it('lets calls end as the script says, with the attempts that follow', async () => {
    const tasks: RevisionTask = {
      name: 'Call',
      taskType: 'call',
      autoNext: true,
      prompt: 'Ask.',
      configuration: { attempts: 2, retryAfter: 'PT1H' },
      children: [
        { ...end, name: 'Busy', celCondition: 'call.status == "busy"' },
        { ...end, name: 'Machine', celCondition: 'call.outcome == "voicemail"' },
        { ...end, name: 'Talked' },
      ],
    };
    const linesAfter = async (...script: ScriptStep[]) =>
      linesOf(await simulate(tasks, { script })).join('\n');
    const hour = { clock: 'next' };
    const busy = await linesAfter({ phone: { outcome: 'busy' } }, hour);
    expect(busy).toContain('completed Call\nentered Busy (automatic)');
    const half = { clock: 'PT30M' };
    const machine = await linesAfter(
      { phone: { outcome: 'no-answer' } },
      half,
      { phone: { outcome: 'voicemail' } },
      hour,
    );
    expect(machine).toContain('entered Machine (automatic)');
    const second = await simulate(tasks, {
      script: [
        { phone: { outcome: 'failed' } },
        half,
        { phone: { outcome: 'answered' } },
        hour,
        { agent: { select: 'Talked' } },
      ],
    });
    expect(linesOf(second)).toContain('entered Talked (agent)');
  });

  it('fires the timers on the way, each at its time', async () => {
    const wait = (name: string, children: RevisionTask[]): RevisionTask => ({
      name,
      taskType: 'wait',
      autoNext: true,
      configuration: { for: 'P1D' },
      children,
    });
    const found = await walk(wait('One', [wait('Two', [wait('Three', [end])])]), { clock: 'P2DT1H' });
    const times = found.entries.filter(({ kind }) => kind === 'timer_came').map(({ at }) => at.toISOString());
    expect(times).toEqual(['2030-01-08T09:00:00.000Z', '2030-01-09T09:00:00.000Z']);
    expect(found.endsAt.toISOString()).toBe('2030-01-09T10:00:00.000Z');
  });

  it('goes on with a turn of the agent that the member interrupts', async () => {
    const found = await walk(
      { name: 'Ask', taskType: 'conversation', prompt: 'Ask.', children: [end] },
      { agent: { calls: [{ name: 'nothing' }] } },
      { member: 'Hello?' },
      { agent: { say: 'I am here' } },
    );
    expect(linesOf(found)).toEqual([
      'entered Ask (automatic)',
      'nothing false',
      'member: Hello?',
      'agent: I am here',
    ]);
  });
});

describe('a script', () => {
  const conversation: RevisionTask = {
    name: 'Ask',
    taskType: 'conversation',
    prompt: 'Ask.',
    children: [end],
  };
  const refusal = (pointer: string, why: RegExp) => ({
    code: 'step_not_used',
    errors: [{ pointer, message: expect.stringMatching(why) }],
  });

  it('is refused with the step that cannot be taken', async () => {
    await expect(
      walk(conversation, { agent: { say: 'Hi' } }, { agent: { say: 'Again' } }),
    ).rejects.toMatchObject(refusal('/script/1', /no answer of the agent is due/));
    await expect(walk(conversation, { agent: { select: 'Nowhere' } })).rejects.toMatchObject(
      refusal('/script/0/agent/select', /offered: "End"/),
    );
    await expect(walk(conversation, { clock: 'next' })).rejects.toMatchObject(
      refusal('/script/0/clock', /nothing waits for a time/),
    );
    await expect(walk(conversation, { clock: 'tomorrow' })).rejects.toMatchObject(
      refusal('/script/0/clock', /must be next, a duration/),
    );
    await expect(walk(conversation, { select: { task: 'Nowhere' } })).rejects.toMatchObject(
      refusal('/script/0/select/task', /no task of this name/),
    );
    await expect(walk(conversation, { agent: { select: 'End', say: 'Bye' } })).rejects.toMatchObject(
      refusal('/script/0/agent/say', /ended before/),
    );
    await expect(walk(end, { member: 'Hello?' })).rejects.toMatchObject(
      refusal('/script/0', /the assignment has ended/),
    );
  });

  it('is refused with the field of the member that is wrong', async () => {
    const pointerOf = (member: SimulationInput['member']) =>
      simulate(end, { member: member ?? {} }).catch(({ errors }) => errors[0].pointer);
    expect(await pointerOf({ locale: 'not a locale' })).toBe('/member/locale');
    expect(await pointerOf({ records: { nothing: [{}] } })).toBe('/member/records/nothing');
    expect(await pointerOf({ records: { intake: [{ town: 3 }] } })).toBe('/member/records/intake/0/town');
    const change = { records: { intake: [{ town: 3 }] } };
    await expect(walk(conversation, { change })).rejects.toMatchObject({
      errors: [{ pointer: '/script/0/change/records/intake/0/town' }],
    });
    await expect(simulate(end, { timezone: 'Mars/Base' })).rejects.toMatchObject({
      errors: [{ pointer: '/timezone' }],
    });
  });
});
