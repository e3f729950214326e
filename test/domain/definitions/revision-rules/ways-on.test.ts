import { describe, expect, it } from 'vitest';
import { checkPublishable } from '../../../../domain/definitions/revision-rules/check-publishable.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { processorMs } from '../../../support/lib/processor-ms.js';
import { done, pointersOf, surroundings, talk, task, warningsOf } from './publishing.js';

describe('checkPublishable', () => {
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
});
