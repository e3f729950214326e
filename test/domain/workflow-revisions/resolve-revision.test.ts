import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadRevisionTasks, replaceDraftTasks } from '../../../db/queries/workflow-tasks.js';
import { createWorkflowDefinition } from '../../../domain/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../domain/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/workflow-revisions/publish-revision.js';
import { resolveRevision } from '../../../domain/workflow-revisions/resolve-revision.js';
import { completeTask } from '../../../domain/workflow-revisions/task-tree.js';
import { sampleTasks } from '../../api/revisions/sample-tasks.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { createWorkspace, type TestWorkspace } from '../../support/factories.js';

let testDatabase: TestDatabase;
let workspace: TestWorkspace;
let definitionId: number;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  workspace = await createWorkspace(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  definitionId = await newDefinition();
});

async function newDefinition(): Promise<number> {
  return (await createWorkflowDefinition(workspace.context(), { name: 'Intake' })).id;
}

const newRevision = (of = definitionId) =>
  createRevision(workspace.context(), of, { rootTask: sampleTasks() });
const publish = (revisionId: number, activate: boolean, of = definitionId) =>
  publishRevision(workspace.context(), of, revisionId, { activate });
const resolve = (revisionId?: number | null) =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
    resolveRevision(tx, definitionId, revisionId),
  );

it('takes the active revision unless a published one is pinned', async () => {
  const [first, second] = [await newRevision(), await newRevision()];
  await publish(first.id, true);
  await publish(second.id, false);

  expect(await resolve()).toMatchObject({ id: first.id, number: 1 });
  expect(await resolve(null)).toMatchObject({ id: first.id });
  expect(await resolve(second.id)).toMatchObject({ id: second.id, number: 2 });
});

it("refuses to pin a draft, another definition's revision and none at all", async () => {
  const draft = await newRevision();
  const otherDefinition = await newDefinition();
  const foreign = await newRevision(otherDefinition);
  await publish(foreign.id, true, otherDefinition);

  for (const id of [draft.id, foreign.id, 999_999_999]) {
    await expect(resolve(id)).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '/workflowRevisionId' }],
    });
  }
});

it('refuses a definition without an active revision', async () => {
  await publish((await newRevision()).id, false);

  await expect(resolve()).rejects.toMatchObject({ status: 400, errors: [{ pointer: '/workflowId' }] });
});

it('loads tasks flat, parents before children and siblings in order', async () => {
  const { id } = await newRevision();

  const tasks = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    loadRevisionTasks(tx, id),
  );

  expect(tasks.map((task) => [task.name, task.order])).toEqual([
    ['Welcome', 0],
    ['Now', 0],
    ['Later', 1],
    ['Done', 0],
  ]);
  const [root, now, , done] = tasks;
  expect(root).toMatchObject({ parentId: null, abilities: [{ abilityType: 'handoff', enabled: true }] });
  expect(done).toMatchObject({ parentId: now?.id, configuration: { outcome: 'finished' }, abilities: [] });
});

it("a published revision's tasks stay, whoever asks for a change", async () => {
  const { id } = await newRevision();
  await publish(id, true);
  const inWorkspace = workspace.database.inWorkspace.bind(workspace.database, workspace.workspaceId);

  const replaced = await inWorkspace((tx) => replaceDraftTasks(tx, id, completeTask(sampleTasks())));

  expect(replaced).toBe(false);
  expect(await inWorkspace((tx) => loadRevisionTasks(tx, id))).toHaveLength(4);
});
