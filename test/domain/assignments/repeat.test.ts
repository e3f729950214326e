import { describe, expect, it } from 'vitest';
import { recordsOfAssignmentTasks } from '../../../db/records/data-records.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { hours } from '../../support/lib/moved-clock.js';
import { randomTag } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();

const say = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'message',
  configuration: { text: name },
  autoNext: true,
  ...more,
});
const back = (configuration: Record<string, unknown>, children: RevisionTask[] = []): RevisionTask => ({
  name: 'Again',
  taskType: 'decision',
  configuration,
  children,
});
const end: RevisionTask = { name: 'End', taskType: 'conclude' };
const texts = (messages: readonly { content: unknown }[]) => messages.map(({ content }) => content);

describe('a decision that goes back', () => {
  it('enters the earlier task as often as it may, then takes its first child', async () => {
    const enough = say('Enough', { children: [end] });
    const root = say('Ask', { children: [back({ repeat: 'Ask', atMost: 2 }, [enough])] });
    const staged = await stageAssignment(suite.workspace, root);

    expect(texts(await staged.messages())).toEqual(['Ask', 'Ask', 'Ask', 'Enough']);
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });

  it('goes on behind itself after that, or alerts a colleague, as its author says', async () => {
    const asked = (more: object) => say('Ask', { children: [back({ repeat: 'Ask', atMost: 1, ...more })] });
    const goesOn = await stageAssignment(suite.workspace, asked({ otherwise: 'next' }));
    const stands = await stageAssignment(suite.workspace, asked({}));

    expect(await goesOn.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
    expect(await stands.advance()).toMatchObject({ kind: 'wait', taskName: 'Again' });
    expect(await stands.chat()).toMatchObject({ needsResponseReason: 'no_choice_holds' });
    expect(texts(await stands.messages())).toEqual(['Ask', 'Ask']);
  });

  it('does not enter a task whose guard does not hold any more', async () => {
    const first = say('First', { celGuard: '!("First" in tasks.visited)' });
    const root = say('Ask', { children: [first, back({ repeat: 'First', atMost: 5, otherwise: 'next' })] });
    const staged = await stageAssignment(suite.workspace, root);

    expect(texts(await staged.messages())).toEqual(['Ask', 'First']);
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });

  it('is ended as a loop if nothing waits in it', async () => {
    const root = say('Ask', { children: [back({ repeat: 'Ask', atMost: 100, otherwise: 'next' })] });
    const staged = await stageAssignment(suite.workspace, root);

    expect(await staged.assignment()).toMatchObject({ status: 'failed', outcome: 'loop_detected' });
  });

  it('waits anew in each round, and forgets how the one before ended', async () => {
    const wait: RevisionTask = {
      name: 'Wait',
      taskType: 'wait',
      configuration: { for: 'PT1H', unlessReply: true },
      autoNext: true,
    };
    const again = back({ repeat: 'Wait', atMost: 5, otherwise: 'next' });
    const root = say('Ask', { children: [wait, { ...again, celCondition: '"Wait" in tasks.timed_out' }] });
    const staged = await stageAssignment(suite.workspace, root);
    staged.clock.advance(hours(1));
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Wait' });
    expect(await staged.task('Wait')).toMatchObject({ completedAt: null, endedBy: null });

    await staged.memberWrites('I am here');

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'completed' });
  });

  it('collects a record more in each round', async () => {
    const slug = `pets_${randomTag()}`;
    const fields = [{ slug: 'name', name: 'Name', fieldType: 'text', required: true }];
    await createDataType(suite.workspace.context(), { name: 'Pets', slug, isCollection: true, fields });
    const collect: RevisionTask = {
      name: 'Pet',
      taskType: 'collect',
      configuration: { dataTypeSlug: slug, fieldSlugs: ['name'] },
      autoNext: true,
    };
    const root = say('Ask', { children: [collect, back({ repeat: 'Pet', atMost: 1, otherwise: 'next' })] });
    const staged = await stageAssignment(suite.workspace, root);
    for (const name of ['Minka', 'Rex']) {
      expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Pet' });
      const turn = new Turn(staged);
      await turn.run(call(['save_data', { name }]));
      if (name === 'Minka') {
        await turn.take(reply('And the next one?'));
        await staged.memberWrites('Rex');
      }
    }

    expect(await staged.assignment()).toMatchObject({ status: 'completed' });
    const { id } = await staged.task('Pet');
    const { workspace } = suite;
    const found = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      recordsOfAssignmentTasks(tx, [id]),
    );
    expect(found.items.map(({ fieldValues }) => fieldValues.name)).toEqual(['Minka', 'Rex']);
  });
});
