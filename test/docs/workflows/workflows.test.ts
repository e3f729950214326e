import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/definitions/workflow-revisions/publish-revision.js';
import { defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import type { InvalidInput } from '../../../domain/lib/errors.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { simulateRevision } from '../../../domain/simulation/simulate-revision.js';
import { Simulations } from '../../../domain/simulation/simulations.js';
import { intakeDataType } from '../../../tools/dev/seed/clinic-intake.js';
import { addPhoneNumber, publishDefinition } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { readWalk, writeWalk } from './walks.js';
import { warningExamples } from './warning-examples.js';

const { workspace } = useWorkspace();
const simulations = new Simulations({ agentBudgets: defaultAgentBudgets });
const page = await readFile(new URL('../../../docs/workflows.md', import.meta.url), 'utf8');

const blocks = [...page.matchAll(/^```(json|walk)\n([\s\S]*?)\n```$/gm)].map(([, kind, text = '']) => ({
  kind,
  text,
}));
/** The trees of tasks in order, each with the walks that follow it. */
const examples = blocks.flatMap(({ kind, text }, index) => {
  if (kind !== 'json') return [];
  const tree = JSON.parse(text) as RevisionTask;
  const others = blocks.slice(index + 1);
  const next = others.findIndex((block) => block.kind === 'json');
  const walks = next === -1 ? others : others.slice(0, next);
  return [{ name: tree.name, tree, walks: walks.map((walk) => walk.text) }];
});
/** Tasks that publishing refuses, with the reason, from the rows of a table. */
const refused = [...page.matchAll(/^\| `(\{.*\})` \| (.+) \|$/gm)].map(([, task = '', reason = '']) => ({
  task,
  reason: reason.replaceAll('`', ''),
}));

beforeAll(async () => {
  await createDataType(workspace.context(), intakeDataType);
  const mood = { slug: 'mood', name: 'Mood', fieldType: 'select' as const, options: ['good', 'bad'] };
  await createDataType(workspace.context(), {
    name: 'Visit',
    slug: 'visit',
    isCollection: false,
    fields: [mood],
  });
});

describe('docs/workflows.md', () => {
  it('has an example of every available task type and ability', () => {
    const all = examples.map(({ tree }) => JSON.stringify(tree)).join();
    const types = ['conversation', 'collect', 'message', 'wait', 'decision', 'handoff', 'conclude'];
    expect(types.filter((type) => !all.includes(`"taskType":"${type}"`))).toEqual([]);
    const abilities = [
      'save_data',
      'read_data',
      'search_files',
      'send_sms',
      'send_email',
      'send_files',
      'schedule_follow_up',
      'handoff',
      'conclude',
    ];
    expect(abilities.filter((type) => !all.includes(`"abilityType":"${type}"`))).toEqual([]);
    expect(examples.flatMap(({ walks }) => walks).length).toBeGreaterThan(examples.length - 3);
    expect(refused.length).toBeGreaterThan(5);
  });

  it.each(examples)('has a tree that can be published, and its walks: $name', async ({ tree, walks }) => {
    const { workflowId, revisionId } = await publishDefinition(workspace, tree);
    for (const walk of walks) {
      const ids = { workflowId, revisionId };
      const simulation = await simulateRevision(workspace.context(), simulations, ids, readWalk(walk));
      expect(writeWalk(walk, simulation)).toBe(walk);
    }
  });

  it.each(refused)('names why it is refused: $task', async ({ task, reason }) => {
    const rootTask = { name: 'Task', ...JSON.parse(task) } as RevisionTask;
    const context = workspace.context();
    const { id } = await createWorkflowDefinition(context, { name: 'Refused' });
    const publishing = async () => {
      const draft = await createRevision(context, id, { rootTask });
      await publishRevision(context, id, draft.id);
    };
    const error = await publishing().then(
      () => undefined,
      (thrown: InvalidInput) => thrown,
    );
    expect(error?.errors.map(({ message }) => message.replaceAll('`', '')).join('\n')).toContain(reason);
  });

  describe('what is warned of', () => {
    beforeAll(async () => {
      await addPhoneNumber(workspace, { voiceEnabled: true });
    });

    it.each(Object.entries(warningExamples))('has an example: %s', async (code, example) => {
      const context = workspace.context();
      const { id } = await createWorkflowDefinition(context, { name: 'Warned' });
      const draft = await createRevision(context, id, { rootTask: { name: 'Task', ...example } });
      const { warnings } = await publishRevision(context, id, draft.id);
      expect(warnings.map((warning) => warning.code)).toContain(code);
    });
  });
});
