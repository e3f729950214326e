import { describe, expect, it } from 'vitest';
import { checkPublishable } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { clinicIntake, intakeDataType } from '../../../../tools/dev/seed/clinic-intake.js';
import { processorMs } from '../../../support/lib/processor-ms.js';

const dataTypes = [
  {
    slug: 'intake',
    isCollection: false,
    fields: [
      { slug: 'age', fieldType: 'integer' },
      { slug: 'name', fieldType: 'text' },
      { slug: 'mood', fieldType: 'select', options: ['good', { value: 'bad' }] },
      { slug: 'topics', fieldType: 'multiselect', options: ['sleep', 'food'] },
      { slug: 'scan', fieldType: 'file' },
      { slug: 'photos', fieldType: 'files' },
      { slug: 'extra', fieldType: 'json' },
      { slug: 'due', fieldType: 'date' },
      { slug: 'call_at', fieldType: 'datetime' },
    ],
  },
  {
    slug: 'visits',
    isCollection: true,
    fields: [
      { slug: 'place', fieldType: 'text' },
      { slug: 'day', fieldType: 'date' },
    ],
  },
];
const now = new Date('2026-11-24T12:00:00Z');
const folderPaths = new Set(['leaflets/aftercare']);
const requests = { hosts: [], secrets: [] };
const inboxes = ['desk@inboxes.example'];
const surroundings = {
  dataTypes,
  labelSlugs: new Set(['vip']),
  folderPaths,
  requests,
  mcpTools: [{ server: 'orders', tool: 'find_order' }],
  inboxes,
  defaultInboxes: inboxes,
  voiceNumbers: ['+15550100100'],
  transfers: { countries: ['US', 'GB'], numbersOfService: ['+15550100111'] },
  hasVoiceIdentity: true,
  now,
};
const done: RevisionTask = { name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } };

const talk: RevisionTask = { name: 'Talk', taskType: 'conversation' };
const task = (taskType: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name: 'Task',
  taskType,
  ...more,
});

function pointersOf(...tasks: RevisionTask[]): string[] {
  return checkPublishable(tasks, surroundings).errors.map((error) => error.pointer);
}

/** Each warning as its code and its field. */
function warningsOf(...tasks: RevisionTask[]): string[] {
  const { errors, warnings } = checkPublishable(tasks, surroundings);
  expect(errors).toEqual([]);
  return warnings.map(({ code, field }) => `${code} ${field}`);
}

describe('checkPublishable', () => {
  it('rejects an empty revision', () => {
    expect(pointersOf()).toEqual(['/tasks']);
  });

  it.each([
    ['is a premium number', '+19005551234'],
    ['is a premium number that no table has', '+449212345678'],
    ['is a shared-cost number', '+448701234567'],
    ['is of a satellite', '+881612345678'],
    ['is of an international network', '+8835100123456'],
    ['is at sea', '+870773123456'],
    ['is in another country', '+25221234567'],
    ['is in another country with the same calling code', '+18765551234'],
    ['is a number of the service', '+15550100111'],
    ['is too short to be one', '+1900555'],
    ['has an extension', '+12025550123;ext=5'],
    ['is an address of SIP', 'sip:desk@voip.example'],
    ['is a short code', '72975'],
  ])('rejects a transfer to a number that %s', (_, phoneNumber) => {
    const targets = [
      { name: 'desk', phoneNumber: '+12025550123' },
      { name: 'other', phoneNumber },
    ];
    const forwarding = task('conversation', {
      abilities: [{ abilityType: 'forward_call', config: { targets } }, { abilityType: 'handoff' }],
    });
    const { errors } = checkPublishable([forwarding], surroundings);
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(
      new Set(['/tasks/0/abilities/0/config/targets/1/phoneNumber']),
    );
    expect(errors[0]?.message).toMatch(/^Task "Task": abilities\[0\]\.config\.targets\[1\]\.phoneNumber /);
  });

  it('rejects the ability search_files for a folder that there is not', () => {
    const searching = (folderPath: string) =>
      task('conversation', {
        abilities: [{ abilityType: 'search_files', config: { folderPath } }, { abilityType: 'handoff' }],
      });
    expect(pointersOf(searching('leaflets'))).toEqual(['/tasks/0/abilities/0/config/folderPath']);
    expect(pointersOf(searching('leaflets/aftercare'))).toEqual([]);
    expect(pointersOf(searching('/leaflets'))).toEqual(['/tasks/0/abilities/0/config/folderPath']);
  });

  it('returns all errors at once, with the names of the tasks', () => {
    const abilities = [
      { abilityType: 'place_call' },
      { abilityType: 'read_data', config: { dataTypeSlug: 'nope' } },
    ];
    const children = [
      task('call'),
      task('decision'),
      task('conversation'),
      task('collect', {
        autoNext: true,
        configuration: { dataTypeSlug: 'intake', fieldSlugs: ['age', 'shoe'] },
      }),
      task('collect', { autoNext: true, configuration: { dataTypeSlug: 'survey', fieldSlugs: ['a'] } }),
      { name: 'Pause', taskType: 'wait', autoNext: true, configuration: {} },
      task('wait', { autoNext: true, configuration: { for: 'P1D', until: '{{ now }}' } }),
      { ...done, children: [done] },
    ];
    const { errors } = checkPublishable([task('conversation', { abilities, children })], surroundings);
    expect(errors.map((error) => error.pointer)).toEqual([
      '/tasks/0/abilities/1/config/dataTypeSlug',
      '/tasks/0/children/0',
      '/tasks/0/children/1/children',
      '/tasks/0/children/2',
      '/tasks/0/children/3/configuration/fieldSlugs/1',
      '/tasks/0/children/4/configuration/dataTypeSlug',
      '/tasks/0/children/5/configuration',
      '/tasks/0/children/6/configuration',
      '/tasks/0/children/7/children',
    ]);
    expect(errors.map((error) => error.message)).toContainEqual(expect.stringContaining('Task "Pause"'));
  });

  it('requires the fields that save_data may write', () => {
    const saving = (config: Record<string, unknown>) =>
      pointersOf({
        ...talk,
        autoNext: true,
        abilities: [{ abilityType: 'save_data', config: { dataTypeSlug: 'intake', ...config } }],
      });
    expect(saving({})).toEqual(['/tasks/0/abilities/0/config/fieldSlugs']);
    expect(saving({ fieldSlugs: ['age'] })).toEqual([]);
  });

  it('also reports the errors of checkRevision', () => {
    expect(pointersOf({ ...talk, autoNext: true, celGuard: 'member.' })).toEqual(['/tasks/0/celGuard']);
  });

  it.each([
    ['Friday 10', ['/tasks/0/configuration/until']],
    ['x', ['/tasks/0/configuration/until']],
    ['tomorrow', ['/tasks/0/configuration/until']],
    ["'tomorrow'", ['/tasks/0/configuration/until']],
    ["{{ 'tomorrow' }}", ['/tasks/0/configuration/until']],
    ['2030-02-30', ['/tasks/0/configuration/until']],
    ["{{ '2030-01-12' }}T10:00", []],
    ['{{ now }}', []],
    ['12.01.2030', ['/tasks/0/configuration/until']],
    ['2030-01-12T10:00', []],
    ['{{ member.name }}', []],
  ])('checks that the time of a wait can be read, unless it depends on data: %s', (until, pointers) => {
    expect(pointersOf(task('wait', { autoNext: true, configuration: { until } }))).toEqual(pointers);
  });

  it.each([
    [{ condition: 'assignment.is_test', atMost: 'P1D' }, []],
    [{ event: 'chat:replied' }, []],
    [{ condition: 'now > timestamp("2030-01-01T00:00:00Z")' }, ['/condition']],
    [{ condition: 'false' }, ['/condition']],
    [{ condition: 'assignment.is_test', event: 'chat:replied' }, ['']],
    [{ condition: 'assignment.is_test', for: 'P1D' }, ['']],
    [{ for: 'P1D', atMost: 'P2D' }, ['/atMost']],
  ])('checks what a wait waits for: %j', (configuration, pointers) => {
    const found = pointersOf(task('wait', { autoNext: true, configuration }));
    expect(found).toEqual(pointers.map((pointer) => `/tasks/0/configuration${pointer}`));
  });

  it('reports tasks that can never be reached', () => {
    const children = [
      { ...done, celGuard: 'false' },
      { ...done, celCondition: '1 > 2' },
      done,
      { ...done, celCondition: 'member.id == 7' },
    ];
    expect(pointersOf(task('decision', { children }))).toEqual([
      '/tasks/0/children/3',
      '/tasks/0/children/0/celGuard',
      '/tasks/0/children/1/celCondition',
    ]);
  });

  it.each<[string, Partial<RevisionTask>]>([
    ['children', { children: [done] }],
    ['autoNext', { autoNext: true }],
    ['the ability to conclude', { abilities: [{ abilityType: 'conclude' }] }],
    ['the ability to hand off', { abilities: [{ abilityType: 'handoff' }] }],
  ])('accepts a conversation that can end by %s', (_title, way) => {
    expect(pointersOf({ ...talk, ...way })).toEqual([]);
  });

  it('accepts a conversation that can end by an inherited ability, unless it disables the ability', () => {
    const abilities = [{ abilityType: 'conclude' }];
    const disabled = [{ abilityType: 'conclude', enabled: false }];
    expect(pointersOf({ ...talk, abilities, children: [talk] })).toEqual([]);
    expect(pointersOf({ ...talk, abilities, children: [{ ...talk, abilities: disabled }] })).toEqual([
      '/tasks/0/children/0',
    ]);
  });

  it('warns of remote tools that are not allowed', () => {
    const tools = ['find_order', 'cancel_order'].map((tool) => ({ server: 'orders', tool }));
    const using = task('conversation', { abilities: [{ abilityType: 'mcp_tools', config: { tools } }] });
    expect(checkPublishable([using], surroundings).warnings).toMatchObject([
      { code: 'unknown_mcp_tool', field: '/tasks/0/abilities/0/config/tools/1' },
    ]);
  });

  it('warns of calls that no number places', () => {
    const calling = (phoneNumber?: string) => ({
      ...task('call', { autoNext: true, configuration: phoneNumber === undefined ? {} : { phoneNumber } }),
      abilities: [{ abilityType: 'place_call', config: phoneNumber === undefined ? {} : { phoneNumber } }],
    });
    expect(warningsOf(calling())).toEqual([]);
    expect(warningsOf(calling('+15550100100'))).toEqual([]);
    expect(warningsOf(calling('+15550100101'))).toEqual([
      'unknown_phone_number /tasks/0/configuration/phoneNumber',
      'unknown_phone_number /tasks/0/abilities/0/config/phoneNumber',
    ]);
    const { warnings } = checkPublishable([calling()], { ...surroundings, voiceNumbers: [] });
    expect(warnings.map(({ field }) => field)).toEqual([
      '/tasks/0/configuration',
      '/tasks/0/abilities/0/config',
    ]);
  });

  it('warns of records that are not read on the phone, where numbers have calls', () => {
    const reading = { ...talk, abilities: [{ abilityType: 'read_data' }] };
    const codes = (more: object) =>
      checkPublishable([reading], { ...surroundings, ...more }).warnings.map(
        ({ code, field }) => `${code} ${field}`,
      );
    expect(codes({ hasVoiceIdentity: false })).toContain('callers_unproved /tasks/0/abilities/0');
    expect(codes({})).not.toContain('callers_unproved /tasks/0/abilities/0');
    expect(codes({ hasVoiceIdentity: false, voiceNumbers: [] })).not.toContain(
      'callers_unproved /tasks/0/abilities/0',
    );
  });

  it('warns of a call after which nothing goes on if no one answers', () => {
    expect(warningsOf(task('call', { children: [done] }))).toEqual(['waits_for_member /tasks/0/autoNext']);
    expect(warningsOf(task('call', { autoNext: true, children: [done] }))).toEqual([]);
    expect(pointersOf(task('call'))).toEqual(['/tasks/0']);
  });

  it('warns of emails that no inbox sends', () => {
    const emailing = (config: object) => ({
      ...talk,
      autoNext: true,
      abilities: [{ abilityType: 'send_email', config: { ...config } }],
    });
    expect(warningsOf(emailing({}))).toEqual([]);
    expect(warningsOf(emailing({ inbox: 'desk@inboxes.example' }))).toEqual([]);
    expect(warningsOf(emailing({ inbox: 'other@inboxes.example' }))).toEqual([
      'unknown_inbox /tasks/0/abilities/0/config/inbox',
    ]);
    const among = (defaultInboxes: string[]) =>
      checkPublishable([emailing({})], { ...surroundings, defaultInboxes }).warnings;
    expect(among([])).toMatchObject([
      {
        code: 'unknown_inbox',
        field: '/tasks/0/abilities/0/config',
        message: 'Task "Talk": there is no inbox in use',
      },
    ]);
    expect(among(['desk@inboxes.example', 'other@inboxes.example'])).toMatchObject([
      { code: 'unknown_inbox', message: 'Task "Talk": name the inbox: 2 could be meant' },
    ]);
    expect(pointersOf(emailing({ inbox: 'Desk <desk@inboxes.example>' }))).toEqual([
      '/tasks/0/abilities/0/config/inbox',
    ]);
  });

  it('ignores a disabled ability of a later version', () => {
    const abilities = [{ abilityType: 'place_call', enabled: false }];
    expect(pointersOf({ ...talk, autoNext: true, abilities })).toEqual([]);
  });

  it('warns of waits and collects that may have no end', () => {
    const waiting = (configuration: object) =>
      task('wait', { autoNext: true, configuration: { ...configuration } });
    const collecting = (more: object) =>
      task('collect', {
        autoNext: true,
        configuration: { dataTypeSlug: 'intake', fieldSlugs: ['age'], ...more },
      });
    const unlimited = ['no_time_limit /tasks/0/configuration'];
    expect(warningsOf(waiting({ event: 'chat:replied' }))).toEqual(unlimited);
    expect(warningsOf(waiting({ condition: 'chat.paused', unlessReply: true }))).toEqual(unlimited);
    expect(warningsOf(collecting({}))).toEqual(unlimited);
    expect(warningsOf(waiting({ event: 'chat:replied', atMost: 'P1D' }))).toEqual([]);
    expect(warningsOf(waiting({ for: 'P1D' }))).toEqual([]);
    expect(warningsOf(collecting({ atMost: 'P1D' }))).toEqual([]);
    expect(pointersOf(collecting({ atMost: '1 day' }))).toEqual(['/tasks/0/configuration/atMost']);
  });

  it('checks to what a decision goes back', () => {
    const found = (configuration: object) => {
      const again = task('decision', {
        name: 'Again',
        configuration: { otherwise: 'next', ...configuration },
      });
      const steps = ['First', 'Twice', 'Twice'].map((name) =>
        task('message', { name, autoNext: true, configuration: { text: 'Hi' } }),
      );
      const later = task('message', { name: 'Later', autoNext: true, configuration: { text: 'Hi' } });
      const root = task('message', { name: 'Root', autoNext: true, children: [...steps, again, later] });
      const { errors } = checkPublishable([{ ...root, configuration: { text: 'Hi' } }], surroundings);
      return errors.map(({ message }) => message.replace('Task "Again": configuration.', ''));
    };
    expect(found({ repeat: 'Root', atMost: 1 })).toEqual([]);
    expect(found({ repeat: 'First', atMost: 100 })).toEqual([]);
    expect(found({ repeat: 'First' })).toEqual(['atMost is required: how often the decision goes back']);
    expect(found({ atMost: 1, repeat: 'Later' })).toEqual([
      'repeat names the task "Later", which does not come before this one; known: Root, First, Twice, Twice',
    ]);
    expect(found({ atMost: 1, repeat: 'Again' })).toHaveLength(1);
    expect(found({ atMost: 1, repeat: 'Twice' })).toEqual([
      'repeat names the task "Twice", but 2 tasks have this name: rename all but one',
    ]);
    expect(found({ atMost: 1 })).toContain('atMost is how often a decision with repeat goes back');
    expect(found({ atMost: 101, repeat: 'Root' })).toHaveLength(1);
  });

  it('warns of choices that are steps', () => {
    const yes = task('message', {
      name: 'Yes',
      choicePrompt: 'Yes',
      autoNext: true,
      configuration: { text: 'Yes' },
    });
    const asking = (taskType: string, ...children: RevisionTask[]) =>
      task(taskType, { autoNext: true, children, configuration: taskType === 'wait' ? { for: 'P1D' } : {} });
    const no = { ...yes, name: 'No' };
    expect(warningsOf(asking('wait', yes, no))).toEqual([
      'choice_among_steps /tasks/0/children/0/choicePrompt',
    ]);
    expect(warningsOf(asking('conversation', yes, no))).toEqual([]);
    expect(warningsOf(asking('wait', { ...done, choicePrompt: 'Yes' }, no))).toEqual([]);
  });

  describe('a way on', () => {
    const saved = { dataTypeSlug: 'intake', fieldSlugs: ['age'] };
    const collect = { ...saved, atMost: 'P1D' };
    const say = (more: Partial<RevisionTask> = {}) =>
      task('message', { configuration: { text: 'Hi' }, ...more });
    const wait = (more: Partial<RevisionTask> = {}) =>
      task('wait', { configuration: { for: 'PT1S' }, ...more });
    const inRoom = (...children: RevisionTask[]) => say({ name: 'Room', autoNext: true, children });
    const conclude = { abilityType: 'conclude' };

    it.each<[string, RevisionTask]>([
      ['message', say()],
      ['wait', wait()],
      ['collect', task('collect', { configuration: collect })],
      ['conversation', task('conversation')],
    ])('is required of a %s', (taskType, leaf) => {
      const { errors } = checkPublishable([leaf], surroundings);
      const message = `Task "Task": a ${taskType} needs children, autoNext or the ability conclude or handoff to come to an end`;
      expect(errors).toEqual([{ pointer: '/tasks/0', message }]);
      expect(pointersOf({ ...leaf, autoNext: true })).toEqual([]);
      expect(pointersOf({ ...leaf, abilities: [conclude] })).toEqual([]);
      expect(pointersOf({ ...leaf, children: [done] })).toEqual([]);
    });

    it('is required of a wait, whatever follows it in the list', () => {
      expect(pointersOf(inRoom(wait(), done))).toEqual(['/tasks/0/children/0']);
    });

    it.each<[string, RevisionTask, string[]]>([
      ['a message without autoNext', say({ children: [done] }), ['waits_for_member /tasks/0/autoNext']],
      ['a message with an ability', say({ abilities: [conclude] }), ['waits_for_member /tasks/0/autoNext']],
      ['a wait with an ability', wait({ abilities: [conclude] }), ['waits_for_member /tasks/0/autoNext']],
      ['a wait with a child', wait({ children: [done] }), []],
      [
        'a collect with an ability',
        task('collect', { configuration: collect, abilities: [conclude] }),
        ['waits_for_member /tasks/0/autoNext'],
      ],
      ['a handoff', task('handoff'), ['handoff_leads_nowhere /tasks/0']],
      ['a handoff with autoNext', task('handoff', { autoNext: true }), []],
      [
        'a wait beside a required task',
        inRoom(wait(), { ...done, required: true }),
        ['waits_for_member /tasks/0/children/0/autoNext'],
      ],
      [
        'a conversation whose only child has a condition',
        task('conversation', { children: [{ ...done, celCondition: 'chat.paused' }] }),
        ['every_way_conditional /tasks/0'],
      ],
      [
        'a conversation whose only ability has a condition',
        task('conversation', { abilities: [{ ...conclude, celCondition: 'chat.paused' }] }),
        ['every_way_conditional /tasks/0'],
      ],
      [
        'a conversation in which the agent saves what a condition reads',
        task('conversation', {
          abilities: [{ abilityType: 'save_data', config: saved }],
          children: [{ ...done, celCondition: 'member.form_data.intake.age > 17' }],
        }),
        [],
      ],
      [
        'a decision whose children all have conditions',
        task('decision', { children: [{ ...done, celCondition: 'chat.paused' }] }),
        ['every_way_conditional /tasks/0/children'],
      ],
      [
        'a decision that says what happens otherwise',
        task('decision', {
          configuration: { otherwise: 'next' },
          children: [{ ...done, celCondition: 'chat.paused' }],
        }),
        [],
      ],
    ])('is doubtful in %s', (_title, root, warnings) => {
      expect(warningsOf(root)).toEqual(warnings);
    });
  });

  describe('reachability', () => {
    const next = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
      name,
      taskType: 'message',
      configuration: { text: 'Hi' },
      autoNext: true,
      ...more,
    });
    const visited = (name: string) => `"${name}" in tasks.visited`;

    it('follows children, later siblings and those of ancestors', () => {
      const first = next('First', { children: [next('Inner', { celCondition: 'chat.paused' })] });
      expect(warningsOf(next('Root', { children: [first, next('Second'), done] }))).toEqual([]);
    });

    it('warns of what nothing leads to', () => {
      const stays = { ...talk, abilities: [{ abilityType: 'handoff' }] };
      expect(warningsOf(next('Root', { children: [stays, next('Second'), done] }))).toEqual([
        'unreachable /tasks/0/children/1',
        'unreachable /tasks/0/children/2',
      ]);
      // The agent goes to required tasks at the end.
      const required = { ...done, required: true };
      expect(warningsOf(next('Root', { children: [{ ...talk, autoNext: true }, required] }))).toEqual([]);
    });

    it.each([
      ['itself', [next('One', { celGuard: visited('One') })], '/tasks/0/children/0/celGuard'],
      [
        'a task below it',
        [next('One', { celGuard: `!chat.paused && ${visited('Two')}`, children: [next('Two')] })],
        '/tasks/0/children/0/celGuard',
      ],
      [
        'tasks that ask for each other',
        [next('One', { celGuard: visited('Two') }), next('Two', { celGuard: visited('One') })],
        '/tasks/0/children/0/celGuard',
      ],
    ])('refuses a guard that asks for %s', (_title, children, pointer) => {
      expect(pointersOf(next('Root', { children }))).toContain(pointer);
    });

    it('accepts a guard that asks for a task that only a select enters', () => {
      const stays = {
        ...talk,
        abilities: [{ abilityType: 'handoff' }],
        children: [next('Two', { celGuard: visited('Aside') })],
      };
      expect(pointersOf(next('Root', { children: [stays, next('Aside')] }))).toEqual([]);
    });

    it('does not lead from a child to another one where one is taken', () => {
      const ask = { ...talk, celGuard: visited('Aside'), children: [next('Yes'), next('No')] };
      const root = next('Root', { children: [ask, next('Aside')] });
      // Neither "Yes" nor the decision leads to what follows: the one is closed, the other stands.
      expect(warningsOf(root)).toEqual([]);
      const stands = task('decision', { children: [{ ...done, celCondition: 'chat.paused' }] });
      expect(warningsOf(next('Root', { children: [stands, next('Second')] }))).toEqual([
        'every_way_conditional /tasks/0/children/0/children',
        'unreachable /tasks/0/children/1',
      ]);
      const goesOn = { ...stands, configuration: { otherwise: 'next' } };
      expect(warningsOf(next('Root', { children: [goesOn, next('Second')] }))).toEqual([]);
    });

    it('warns of required children of which another may be taken, unless that ends the assignment', () => {
      const yes = next('Yes', { required: true });
      const asking = (...children: RevisionTask[]) => task('conversation', { children });
      expect(warningsOf(asking(yes, next('No')))).toEqual([
        'required_alternative /tasks/0/children/0/required',
      ]);
      expect(warningsOf(asking(yes, done))).toEqual([]);
      expect(warningsOf(next('Root', { children: [yes, next('No')] }))).toEqual([]);
    });

    it('warns of required alternatives of a decision', () => {
      const branch = (name: string, more = {}) => next(name, { required: true, ...more });
      const decision = task('decision', {
        children: [branch('One', { celCondition: 'chat.paused' }), branch('Two')],
      });
      expect(warningsOf(decision)).toEqual([
        'required_alternative /tasks/0/children/0/required',
        'required_alternative /tasks/0/children/1/required',
      ]);
    });

    it('warns of a condition of the root', () => {
      expect(warningsOf({ ...done, celCondition: 'chat.paused' })).toEqual([
        'condition_without_effect /tasks/0/celCondition',
      ]);
    });

    it('takes no time for a long chain of guards', () => {
      const children = Array.from({ length: 400 }, (_, at) =>
        next(`Task ${at}`, { celGuard: visited(at === 399 ? 'Root' : `Task ${at + 1}`) }),
      );
      const root = next('Root', { children });
      expect(processorMs(() => checkPublishable([root], surroundings))).toBeLessThan(2_000);
    });
  });

  describe('expressions', () => {
    /** What is found in the guard of a task beside "Ask", a wait with a limit and two tasks named "Twice". */
    function found(celGuard: string) {
      const leads = { autoNext: true };
      const children: RevisionTask[] = [
        { name: 'Ask', taskType: 'conversation', ...leads },
        { name: 'Talk', taskType: 'conversation', abilities: [{ abilityType: 'conclude' }] },
        { name: 'Wait', taskType: 'wait', configuration: { event: 'chat:replied', atMost: 'P1D' }, ...leads },
        { name: 'Twice', taskType: 'handoff', ...leads },
        { name: 'Twice', taskType: 'handoff', ...leads },
        { name: 'Guarded', taskType: 'handoff', celGuard, ...leads },
      ];
      const { errors, warnings } = checkPublishable(
        [{ name: 'Root', taskType: 'conversation', children }],
        surroundings,
      );
      return {
        errors: errors.map(({ message }) => message.replace('Task "Guarded": celGuard ', '')),
        warnings: warnings.filter(({ task }) => task === 'Guarded').map(({ code }) => code),
      };
    }

    it.each([
      ['"Asc" in tasks.visited', 'names the task "Asc", which does not exist; did you mean "Ask"?'],
      [
        'tasks.current == "Nothing like it"',
        'names the task "Nothing like it", which does not exist; known: Root, Ask, Talk, Wait, Twice, Guarded',
      ],
      ['"Twice" in tasks.visited', 'names the task "Twice", but 2 tasks have this name: rename all but one'],
      ['member.nmae == "x"', 'names member.nmae, which does not exist; did you mean "name"?'],
      [
        'chat.channel == "sms"',
        'compares chat.channel with "sms", which it never is; known: web-chat, phone-sms, phone-voice, email',
      ],
      [
        'member.form_data.intke.age > 17',
        'names the data type intke, which does not exist; did you mean "intake"?',
      ],
      [
        'member.form_data.intake.agge > 17',
        'names the field agge, which intake does not have; did you mean "age"?',
      ],
      [
        'has(member.form_data.visits)',
        'names member.form_data.visits, but visits is a collection: member.data.visits is a list',
      ],
      [
        'size(member.data.intake) > 0',
        'names member.data.intake, but intake is no collection: member.form_data.intake',
      ],
      [
        'now > timestamp("tomorrow")',
        'names timestamp("tomorrow"), which is no timestamp such as "2030-01-31T10:00:00Z"',
      ],
      [
        'now - assignment.created_at > duration("P1D")',
        'names duration("P1D"), which is no duration such as "1h30m"',
      ],
    ])('refuses %s', (guard, message) => {
      expect(found(guard)).toEqual({ errors: [message], warnings: [] });
    });

    it.each([
      ['"Talk" in tasks.completed', ['never_listed']],
      ['"Ask" in tasks.timed_out', ['never_listed']],
      ['"vipp" in member.labels', ['unknown_label']],
      ['member.form_data.intake.age == "18"', ['type_mismatch']],
      ['member.form_data.intake.name == 18', ['type_mismatch']],
      ['member.form_data.intake.topics == "sleep"', ['type_mismatch']],
      ['"a" in member.form_data.intake.name', ['type_mismatch']],
      ['member.form_data.intake.scan == "scan.pdf"', ['type_mismatch']],
      ['member.form_data.intake.photos == 7', ['type_mismatch']],
      ['"scan.pdf" in member.form_data.intake.photos', ['type_mismatch']],
      ['member.form_data.intake.due > now', ['type_mismatch']],
      ['timestamp("2030-01-31T10:00:00Z") <= member.form_data.intake.due', ['type_mismatch']],
      ['member.form_data.intake.call_at == assignment.created_at', ['type_mismatch']],
      ['member.form_data.intake.name < now - duration("24h")', ['type_mismatch']],
      ['now - assignment.created_at > member.form_data.intake.age', ['type_mismatch']],
      ['now - member.form_data.intake.due > duration("24h")', ['type_mismatch']],
      ['member.form_data.intake.due + duration("24h") < now', ['type_mismatch']],
      ['member.data.visits.exists(v, v.day < now)', ['type_mismatch']],
      ['assignment.created_at > "2030-01-31"', ['type_mismatch']],
      ['member.name > now || chat.message_count > "3"', ['type_mismatch', 'type_mismatch']],
      ['member.form_data.intake.mood == "sad"', ['unknown_option']],
      ['"drink" in member.form_data.intake.topics', ['unknown_option']],
    ])('warns of %s', (guard, warnings) => {
      expect(found(guard)).toEqual({ errors: [], warnings });
    });

    it.each([
      '"Ask" in tasks.completed && "Wait" in tasks.timed_out && tasks.current != "Talk"',
      '"vip" in member.labels && chat.channel == "web-chat"',
      'now > timestamp("2030-01-31T10:00:00Z") + duration("36h") || timestamp(member.locale) < now',
      'member.form_data.intake.age > 17.5 && member.form_data.intake.name != null',
      'member.form_data.intake.mood in ["good", "bad", ""] && "sleep" in member.form_data.intake.topics',
      'member.form_data.intake.extra == "x" && member.form_data.intake.extra.deep == 1',
      'timestamp(member.form_data.intake.due + "T00:00:00Z") + duration("24h") > now',
      'now - timestamp(member.form_data.intake.call_at) > duration("24h")',
      'member.form_data.intake.due >= "2030-01-31" && assignment.created_at != null',
      'now - assignment.created_at > duration("48h") && member.name != null && chat.message_count > 3',
      'member.data.visits.exists(v, v.day > "2030" || timestamp(v.day + "T00:00:00Z") > now)',
      '7 in member.form_data.intake.photos && member.form_data.intake.scan != 8',
      'member.data.visits.exists(v, v.place == "Town") && member.partial_data == ["visits"]',
    ])('accepts %s', (guard) => {
      expect(found(guard)).toEqual({ errors: [], warnings: [] });
    });

    it('says how a date is read, also in a template', () => {
      const outcomeReason = '{{ member.form_data.intake.due > now ? "late" : "in time" }}';
      const { warnings } = checkPublishable([{ ...done, configuration: { outcomeReason } }], surroundings);
      expect(warnings.map(({ code, message }) => [code, message])).toEqual([
        [
          'type_mismatch',
          'Task "Done": configuration.outcomeReason compares due with a timestamp, but its value is a text; timestamp(… + "T00:00:00Z") reads it',
        ],
      ]);
    });

    it('names the field of a template', () => {
      const root = { ...done, configuration: { outcomeReason: '{{ member.nmae }}' } };
      expect(pointersOf(root)).toEqual(['/tasks/0/configuration/outcomeReason']);
    });

    it('stops at as many errors as an answer tells', () => {
      const texts = Array.from({ length: 400 }, (_, at) => `"Tusk ${at}" in tasks.visited`);
      const children = texts.map((celGuard, at) => ({ ...done, name: `Task ${at}`, celGuard }));
      expect(processorMs(() => expect(pointersOf({ ...talk, children })).toHaveLength(100))).toBeLessThan(
        2_000,
      );
    });
  });

  it('warns of a name that another task has', () => {
    expect(warningsOf({ ...talk, children: [done, { ...done }] })).toEqual([
      'duplicate_name /tasks/0/children/1/name',
    ]);
  });

  it.each([
    ['2020-01-01T00:00:00Z', 'moment_passed'],
    ['2040-01-01', 'moment_too_far'],
  ])('warns of a wait until %s', (until, code) => {
    expect(warningsOf(task('wait', { autoNext: true, configuration: { until } }))).toEqual([
      `${code} /tasks/0/configuration/until`,
    ]);
  });

  it('finds nothing in the workflow of the demo', () => {
    const { slug, isCollection = false, fields } = intakeDataType;
    const findings = checkPublishable([clinicIntake], {
      ...surroundings,
      dataTypes: [{ slug, isCollection, fields }],
    });
    expect(findings).toEqual({ errors: [], warnings: [] });
  });

  // Each was once published and stood for good.
  it.each<[string, RevisionTask, string[], string[]]>([
    ['a message without autoNext', hello({ children: [done] }), [], ['waits_for_member']],
    ['a message alone', hello(), ['/tasks/0'], []],
    [
      'a wait beside its successor',
      hello({ autoNext: true, children: [waitFor({ for: 'PT1S' }), done] }),
      ['/tasks/0/children/0'],
      ['unreachable'],
    ],
    ['a wait for the past', waitFor({ until: '2020-01-01T00:00:00Z' }), ['/tasks/0'], ['moment_passed']],
    [
      'a wait for a word',
      { ...waitFor({ until: "'tomorrow'" }), autoNext: true },
      ['/tasks/0/configuration/until'],
      [],
    ],
    [
      'a required task whose guard has a typing error',
      hello({ autoNext: true, children: [{ ...done, required: true, celGuard: "'Asc' in tasks.visited" }] }),
      ['/tasks/0/children/0/celGuard'],
      [],
    ],
    [
      'a guard that names one of two tasks',
      hello({
        autoNext: true,
        children: [
          hello({ name: 'Ask', autoNext: true }),
          hello({ name: 'Ask', autoNext: true }),
          { ...done, celGuard: "'Ask' in tasks.visited" },
        ],
      }),
      ['/tasks/0/children/2/celGuard'],
      ['duplicate_name'],
    ],
  ])('does not publish in silence: %s', (_title, root, pointers, codes) => {
    const { errors, warnings } = checkPublishable([root], surroundings);
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });
});

function hello(more: Partial<RevisionTask> = {}): RevisionTask {
  return { name: 'Hello', taskType: 'message', configuration: { text: 'Hello' }, ...more };
}

function waitFor(configuration: Record<string, unknown>): RevisionTask {
  return { name: 'Wait', taskType: 'wait', configuration };
}
