import { beforeEach, describe, expect, it } from 'vitest';
import { loadRevisionTasks, replaceDraftTasks } from '../../../../db/definitions/workflow-tasks.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { requireWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/require-definition.js';
import { createRevision } from '../../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../../domain/definitions/workflow-revisions/publish-revision.js';
import { resolveRevision } from '../../../../domain/definitions/workflow-revisions/resolve-revision.js';
import { completeTask } from '../../../../domain/definitions/workflow-revisions/task-tree.js';
import { sampleTasks } from '../../../api/definitions/workflow-revisions/sample-tasks.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let definitionId: number;
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
const resolve = (revisionId?: number, member = workspace.admin) =>
  workspace.within(async (tx) =>
    resolveRevision(
      tx,
      workspace.context(member).actor,
      await requireWorkflowDefinition(tx, definitionId),
      revisionId,
      'assignments:write',
    ),
  );

it('resolveRevision returns the active revision unless a published one is pinned', async () => {
  const [first, second] = [await newRevision(), await newRevision()];
  await publish(first.id, true);
  await publish(second.id, false);

  expect(await resolve()).toBe(first.id);
  expect(await resolve(second.id)).toBe(second.id);
});

it('resolveRevision rejects a pinned draft, a revision of another definition and an unknown revision', async () => {
  const draft = await newRevision();
  const otherDefinition = await newDefinition();
  const foreign = await newRevision(otherDefinition);
  await publish(foreign.id, true, otherDefinition);

  for (const id of [draft.id, foreign.id, 999_999_999]) {
    await expect(resolve(id)).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ pointer: '/workflowRevisionId' }],
    });
  }
});

describe('resolveRevision without the permission to pin', () => {
  it('returns the active revision, named or not', async () => {
    const { id } = await newRevision();
    await publish(id, true);

    expect(await resolve(undefined, workspace.member)).toBe(id);
    expect(await resolve(id, workspace.member)).toBe(id);
  });

  it('rejects every other revision with the same error, so that none can be guessed', async () => {
    const [old, active, draft] = [await newRevision(), await newRevision(), await newRevision()];
    await publish(old.id, true);
    await publish(active.id, true);

    for (const id of [old.id, draft.id, 999_999_999]) {
      await expect(resolve(id, workspace.member)).rejects.toMatchObject({
        kind: 'forbidden',
        missing: 'assignments:write',
      });
    }
    expect(await resolve(old.id)).toBe(old.id);
  });

  it('rejects a pinned revision of a definition without an active one', async () => {
    const { id } = await newRevision();
    await publish(id, false);

    await expect(resolve(id, workspace.member)).rejects.toMatchObject({ kind: 'forbidden' });
  });
});

it('resolveRevision rejects a definition without an active revision', async () => {
  await publish((await newRevision()).id, false);

  await expect(resolve()).rejects.toMatchObject({ kind: 'invalid', errors: [{ pointer: '/workflowId' }] });
});

it('loadRevisionTasks returns a flat list, parents before children and siblings in order', async () => {
  const { id } = await newRevision();

  const tasks = await workspace.within((tx) => loadRevisionTasks(tx, id));

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

it('replaceDraftTasks does not change a published revision', async () => {
  const { id } = await newRevision();
  await publish(id, true);
  const inWorkspace = workspace.database.inWorkspace.bind(workspace.database, workspace.workspaceId);

  const replaced = await inWorkspace((tx) => replaceDraftTasks(tx, id, completeTask(sampleTasks())));

  expect(replaced).toBe(false);
  expect(await inWorkspace((tx) => loadRevisionTasks(tx, id))).toHaveLength(4);
});
