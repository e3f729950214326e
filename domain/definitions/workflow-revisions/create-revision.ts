import {
  findWorkflowRevision,
  insertWorkflowRevision,
  nextRevisionNumber,
} from '../../../db/definitions/workflow-revisions.js';
import { loadRevisionTasks, replaceDraftTasks } from '../../../db/definitions/workflow-tasks.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import type { RevisionTask } from '../revision-rules/types.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { checkedTasks } from './check-tasks.js';
import { completeTask, storedTaskTree } from './task-tree.js';
import { loadRevision, type RevisionWithTasks } from './workflow-revisions.js';

/**
 * Creates a draft; with `fromRevisionId` it copies the tasks, with their uuids, from another revision of the
 * definition. The lock of the definition keeps the numbers of its revisions unique.
 */
export async function createRevision(
  context: CommandContext,
  definitionId: number,
  input: { name?: string; rootTask?: RevisionTask; fromRevisionId?: number },
): Promise<RevisionWithTasks> {
  context.actor.require('workflows:write');
  if (input.rootTask !== undefined && input.fromRevisionId !== undefined) {
    throw InvalidInput.field('/fromRevisionId', 'Give either rootTask or fromRevisionId.');
  }
  const written = input.rootTask === undefined ? null : checkedTasks(input.rootTask);
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await lockDefinitionForChange(tx, definitionId);
    const number = await nextRevisionNumber(tx, definitionId);
    const name = input.name ?? `Revision ${number}`;
    const root = written ?? (await copiedTree(tx, definitionId, input.fromRevisionId));
    const createdAt = context.clock.now();
    const draft = await insertWorkflowRevision(tx, { definitionId, number, name, createdAt });
    if (root !== null) await replaceDraftTasks(tx, draft.id, root);
    return loadRevision(tx, definitionId, draft.id);
  });
}

async function copiedTree(tx: Tx, definitionId: number, fromRevisionId: number | undefined) {
  if (fromRevisionId === undefined) return null;
  const source = await findWorkflowRevision(tx, definitionId, fromRevisionId);
  if (source === undefined) {
    throw InvalidInput.field('/fromRevisionId', 'There is no such revision of this workflow.');
  }
  const root = storedTaskTree(await loadRevisionTasks(tx, source.id));
  return root === null ? null : completeTask(root);
}
