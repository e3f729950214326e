import { describe, expect, it } from 'vitest';
import { checkPublishable } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';

const dataTypes = [{ slug: 'intake', fields: [{ slug: 'age' }, { slug: 'name' }] }];
const done: RevisionTask = { name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } };

const talk: RevisionTask = { name: 'Talk', taskType: 'conversation' };
const task = (taskType: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name: 'Task',
  taskType,
  ...more,
});

function pointersOf(...tasks: RevisionTask[]): string[] {
  return checkPublishable(tasks, dataTypes).map((error) => error.pointer);
}

describe('checkPublishable', () => {
  it('rejects an empty revision', () => {
    expect(pointersOf()).toEqual(['/tasks']);
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
      task('collect', { configuration: { dataTypeSlug: 'intake', fieldSlugs: ['age', 'shoe'] } }),
      task('collect', { configuration: { dataTypeSlug: 'survey', fieldSlugs: ['a'] } }),
      { name: 'Pause', taskType: 'wait', configuration: {} },
      task('wait', { configuration: { for: 'P1D', until: '{{ now }}' } }),
      { ...done, children: [done] },
    ];
    const errors = checkPublishable([task('conversation', { abilities, children })], dataTypes);
    expect(errors.map((error) => error.pointer)).toEqual([
      '/tasks/0/abilities/0/abilityType',
      '/tasks/0/abilities/1/config/dataTypeSlug',
      '/tasks/0/children/0/taskType',
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
    ['12.01.2030', ['/tasks/0/configuration/until']],
    ['2030-01-12T10:00', []],
    ['{{ member.name }}', []],
  ])('checks that the time of a wait can be read, unless it is a template: %s', (until, pointers) => {
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

  it('ignores a disabled ability of a later version', () => {
    const abilities = [{ abilityType: 'send_email', enabled: false }];
    expect(pointersOf({ ...talk, autoNext: true, abilities })).toEqual([]);
  });
});
