import { describe, expect, it } from 'vitest';
import { checkPublishable } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';

const dataTypes = [{ slug: 'intake', fields: [{ slug: 'age' }, { slug: 'name' }] }];
const done: RevisionTask = { name: 'Done', taskType: 'conclude', configuration: { outcome: 'done' } };

function pointersOf(...tasks: RevisionTask[]): string[] {
  return checkPublishable(tasks, { dataTypes }).map((error) => error.pointer);
}

describe('checkPublishable', () => {
  it('rejects an empty revision', () => {
    expect(checkPublishable([], { dataTypes })).toEqual([{ pointer: '/tasks', message: expect.any(String) }]);
  });

  it('returns all errors at once, with the names of the tasks', () => {
    const errors = checkPublishable(
      [
        {
          name: 'Root',
          taskType: 'conversation',
          abilities: [
            { abilityType: 'place_call' },
            { abilityType: 'read_data', config: { dataTypeSlug: 'nope' } },
          ],
          children: [
            { name: 'Ring', taskType: 'call' },
            { name: 'Which', taskType: 'decision' },
            { name: 'Chat', taskType: 'conversation' },
            {
              name: 'Ask',
              taskType: 'collect',
              configuration: { dataTypeSlug: 'intake', fieldSlugs: ['age', 'shoe'] },
            },
            {
              name: 'Ask more',
              taskType: 'collect',
              configuration: { dataTypeSlug: 'survey', fieldSlugs: ['a'] },
            },
            { name: 'Pause', taskType: 'wait', configuration: {} },
            { name: 'Pause twice', taskType: 'wait', configuration: { for: 'P1D', until: '{{ now }}' } },
            { ...done, children: [{ ...done }] },
          ],
        },
      ],
      { dataTypes },
    );
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
    const saving = (config: Record<string, unknown>, enabled = true) =>
      pointersOf({
        name: 'Talk',
        taskType: 'conversation',
        autoNext: true,
        abilities: [{ abilityType: 'save_data', config: { dataTypeSlug: 'intake', ...config }, enabled }],
      });
    expect(saving({})).toEqual(['/tasks/0/abilities/0/config/fieldSlugs']);
    expect(saving({ fieldSlugs: ['age'] })).toEqual([]);
  });

  it('also reports the errors of checkRevision', () => {
    expect(
      pointersOf({ name: 'Talk', taskType: 'conversation', autoNext: true, celGuard: 'member.' }),
    ).toEqual(['/tasks/0/celGuard']);
  });

  it.each([
    ['Friday 10', ['/tasks/0/configuration/until']],
    ['12.01.2030', ['/tasks/0/configuration/until']],
    ['2030-01-12T10:00', []],
    ['{{ member.name }}', []],
  ])('checks that the time of a wait can be read, unless it is a template: %s', (until, pointers) => {
    const pointersOfWait = pointersOf({
      name: 'Wait',
      taskType: 'wait',
      autoNext: true,
      configuration: { until },
    });

    expect(pointersOfWait).toEqual(pointers);
  });

  it('reports tasks that can never be reached', () => {
    expect(
      pointersOf({
        name: 'Which',
        taskType: 'decision',
        children: [
          { ...done, celGuard: 'false' },
          { ...done, celCondition: '1 > 2' },
          done,
          { ...done, celCondition: 'member.id == 7' },
        ],
      }),
    ).toEqual(['/tasks/0/children/3', '/tasks/0/children/0/celGuard', '/tasks/0/children/1/celCondition']);
  });

  it.each<[string, Partial<RevisionTask>]>([
    ['children', { children: [done] }],
    ['autoNext', { autoNext: true }],
    ['the ability to conclude', { abilities: [{ abilityType: 'conclude' }] }],
    ['the ability to hand off', { abilities: [{ abilityType: 'handoff' }] }],
  ])('accepts a conversation that can end by %s', (_title, way) => {
    expect(pointersOf({ name: 'Talk', taskType: 'conversation', ...way })).toEqual([]);
  });

  it('accepts a conversation that can end by an inherited ability, unless it disables the ability', () => {
    const root = (child: Partial<RevisionTask>): RevisionTask => ({
      name: 'Root',
      taskType: 'conversation',
      abilities: [{ abilityType: 'conclude' }],
      children: [{ name: 'Talk', taskType: 'conversation', ...child }],
    });
    expect(pointersOf(root({}))).toEqual([]);
    expect(pointersOf(root({ abilities: [{ abilityType: 'conclude', enabled: false }] }))).toEqual([
      '/tasks/0/children/0',
    ]);
  });

  it('ignores a disabled ability of a later version', () => {
    const abilities = [{ abilityType: 'send_email', enabled: false }];
    expect(pointersOf({ name: 'Talk', taskType: 'conversation', autoNext: true, abilities })).toEqual([]);
  });
});
