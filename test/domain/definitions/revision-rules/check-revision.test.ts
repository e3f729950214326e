import { describe, expect, it } from 'vitest';
import { checkRevision } from '../../../../domain/definitions/revision-rules/check-revision.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';

const talk: RevisionTask = { name: 'Talk', taskType: 'conversation' };

function pointersOf(...tasks: RevisionTask[]): string[] {
  return checkRevision(tasks).map((error) => error.pointer);
}

describe('checkRevision', () => {
  it('names the task, the place and the position of an expression that does not parse', () => {
    const tasks = [
      { ...talk, children: [talk, { name: 'Ask age', taskType: 'conversation', celGuard: 'member.id ==' }] },
    ];
    expect(checkRevision(tasks)).toEqual([
      {
        pointer: '/tasks/0/children/1/celGuard',
        message: expect.stringMatching(/^Task "Ask age": .*\(at position 12\)$/),
      },
    ]);
  });

  it('reports all errors at once', () => {
    expect(
      pointersOf({
        ...talk,
        name: ' ',
        prompt: 'Hi {{ nobody }}',
        shortPrompt: '{{',
        choicePrompt: '{{ }}',
        celGuard: '"text"',
        celCondition: 'member.id = 1',
        children: [{ ...talk, taskType: 'dance' }],
      }),
    ).toEqual([
      '/tasks/0/name',
      '/tasks/0/prompt',
      '/tasks/0/shortPrompt',
      '/tasks/0/choicePrompt',
      '/tasks/0/celGuard',
      '/tasks/0/celCondition',
      '/tasks/0/children/0/taskType',
    ]);
  });

  it.each<[string, string, Record<string, unknown>, string]>([
    ['collect without a data type', 'collect', { fieldSlugs: ['age'] }, '/dataTypeSlug'],
    ['collect without fields', 'collect', { dataTypeSlug: 'intake', fieldSlugs: [] }, '/fieldSlugs'],
    ['message without text', 'message', {}, '/text'],
    ['message with a faulty template', 'message', { text: 'Hi {{ nobody }}' }, '/text'],
    ['wait for what is no duration', 'wait', { for: 'two days' }, '/for'],
    ['wait for longer than five years', 'wait', { for: 'P6Y' }, '/for'],
    ['wait until a faulty template', 'wait', { until: '{{ 1 + }}' }, '/until'],
    ['wait for a faulty condition', 'wait', { condition: '1 +' }, '/condition'],
    ['wait for a condition that is a text', 'wait', { condition: '"yes"' }, '/condition'],
    ['wait for an unknown event', 'wait', { event: 'chat:created' }, '/event'],
    ['wait at most for what is no duration', 'wait', { event: 'chat:replied', atMost: 'soon' }, '/atMost'],
    ['wait with a text as flag', 'wait', { for: 'P1D', unlessReply: 'yes' }, '/unlessReply'],
    ['conclude with a number', 'conclude', { outcome: 7 }, '/outcome'],
    ['handoff with a faulty message', 'handoff', { message: '{{ x }}' }, '/message'],
    ['an unknown key', 'decision', { color: 'red' }, '/color'],
    ['call with a number that is not E.164', 'call', { phoneNumber: '555 0100' }, '/phoneNumber'],
    ['call with too many attempts', 'call', { attempts: 6 }, '/attempts'],
  ])('rejects the configuration of %s', (_title, taskType, configuration, pointer) => {
    expect(pointersOf({ name: 'Task', taskType, configuration })).toEqual([
      `/tasks/0/configuration${pointer}`,
    ]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['conversation', {}],
    ['collect', { dataTypeSlug: 'intake', fieldSlugs: ['age'] }],
    ['message', { text: 'Hi {{ member.name }}' }],
    ['wait', { for: 'P2D', unlessReply: true }],
    ['wait', { until: '{{ now + duration("1h") }}' }],
    ['wait', { condition: 'assignment.is_test', atMost: 'P1D' }],
    ['wait', { event: 'data_record:changed' }],
    ['wait', {}],
    ['decision', {}],
    ['call', {}],
    ['call', { phoneNumber: '+15550100100', attempts: 3, retryAfter: 'PT2H' }],
    ['handoff', { reason: 'asked for a person', message: 'One moment, {{ member.name }}.' }],
    ['conclude', { outcome: 'done', outcomeReason: 'all told' }],
  ])('accepts a draft with %s %j', (taskType, configuration) => {
    expect(pointersOf({ name: 'Task', taskType, configuration })).toEqual([]);
  });

  it.each<[string, Partial<RevisionTask>, string]>([
    [
      'an unknown field of a configuration',
      { taskType: 'wait', configuration: { minutes: 5 } },
      'configuration.minutes is not a known field of a wait; known: for, until, condition, event, atMost, unlessReply',
    ],
    [
      'a field of a configuration that has none',
      { taskType: 'conversation', configuration: { color: 'red' } },
      'configuration.color is not a known field of a conversation; known: none',
    ],
    [
      'a missing field of a configuration',
      { taskType: 'message', configuration: {} },
      'configuration.text is required',
    ],
    [
      'a wrong entry of a list',
      { taskType: 'collect', configuration: { dataTypeSlug: 'intake', fieldSlugs: ['age', 7] } },
      'configuration.fieldSlugs[1] must be string',
    ],
    [
      'an unknown field of an ability',
      { abilities: [{ abilityType: 'conclude', config: { outcome: 'done' } }] },
      'abilities[0].config.outcome is not a known field of the ability conclude; known: outcomes, requiresApproval',
    ],
    [
      'a duration that is none',
      { taskType: 'wait', configuration: { for: 'PT0S' } },
      'configuration.for must be longer than nothing',
    ],
    [
      'an expression of an ability',
      { abilities: [{ abilityType: 'conclude', celCondition: '"text"' }] },
      'abilities[0].celCondition is not valid: Must be true or false, but is string (at position 0)',
    ],
  ])('names %s, and what is known instead', (_title, faulty, sentence) => {
    const messages = checkRevision([{ ...talk, name: 'Ask', ...faulty }]).map(({ message }) => message);
    expect(messages).toEqual([`Task "Ask": ${sentence}`]);
  });

  it('rejects unknown abilities, wrong configurations, faulty conditions and types declared twice', () => {
    expect(
      pointersOf({
        ...talk,
        abilities: [
          { abilityType: 'teleport' },
          { abilityType: 'save_data', config: {} },
          { abilityType: 'send_sms', config: { to: 'all' } },
          { abilityType: 'handoff', celCondition: 'member.' },
          { abilityType: 'handoff' },
        ],
      }),
    ).toEqual([
      '/tasks/0/abilities/0/abilityType',
      '/tasks/0/abilities/1/config/dataTypeSlug',
      '/tasks/0/abilities/2/config/to',
      '/tasks/0/abilities/3/celCondition',
      '/tasks/0/abilities/4/abilityType',
    ]);
  });

  it('rejects a second root and a duplicate uuid in any letter case', () => {
    const uuid = '7f3a2b10-0000-4000-8000-00000000000a';
    expect(
      pointersOf({ ...talk, uuid, children: [{ ...talk, uuid: uuid.toUpperCase() }] }, { ...talk }),
    ).toEqual(['/tasks/1', '/tasks/0/children/0/uuid']);
  });

  it('rejects more than 500 tasks', () => {
    const children = Array.from({ length: 500 }, () => talk);
    expect(pointersOf({ ...talk, children })).toEqual(['/tasks']);
    expect(pointersOf({ ...talk, children: children.slice(1) })).toEqual([]);
  });

  it('rejects more than 20 levels, also in a very deep tree', () => {
    const nested = (levels: number): RevisionTask =>
      levels === 1 ? talk : { ...talk, children: [nested(levels - 1)] };
    expect(pointersOf(nested(20))).toEqual([]);
    expect(pointersOf(nested(2_000))).toEqual([`/tasks/0${'/children/0'.repeat(19)}/children`]);
  });

  /** Nested macros over two long lists. They use a quarter of the limit for one expression. */
  const costly = (name: string) =>
    `member.data.${name}.exists(a, member.labels.exists(b, string(a.x) == b || string(a.y) == b))`;

  it('rejects a template whose expressions together could take too long', () => {
    const names = Array.from({ length: 12 }, (_, index) => `type_${index}`);
    const prompt = names.map((name) => `{{ ${costly(name)} }}`).join(' ');
    expect(pointersOf({ ...talk, prompt: `{{ ${costly('one')} }}` })).toEqual([]);
    expect(pointersOf({ ...talk, prompt })).toContain('/tasks/0/prompt');
  });

  it('rejects a definition whose expressions together could take too long, and names the task', () => {
    const children = Array.from({ length: 60 }, (_, index) => ({
      ...talk,
      name: `Task ${index}`,
      celGuard: costly(`type_${index}`),
    }));
    const [error, ...others] = checkRevision([{ ...talk, children }]);
    expect(others).toEqual([]);
    expect(error?.pointer).toMatch(/^\/tasks\/0\/children\/\d+\/celGuard$/);
    expect(error?.message).toMatch(/^Task "Task \d+": the expressions of the definition could together/);
    const same = children.map((child) => ({ ...child, celGuard: costly('one') }));
    expect(checkRevision([{ ...talk, children: same }])).toEqual([]);
  });

  it('accepts an empty draft', () => {
    expect(checkRevision([])).toEqual([]);
  });
});
