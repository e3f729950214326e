import { describe, expect, it } from 'vitest';
import { checkPublishable } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { done, pointersOf, surroundings, talk, task, warningsOf } from './publishing.js';

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
});
