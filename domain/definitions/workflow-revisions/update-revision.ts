import { updateDraftRevision } from '../../../db/definitions/workflow-revisions.js';
import { replaceDraftTasks } from '../../../db/definitions/workflow-tasks.js';
import type { CommandContext } from '../../kernel/context.js';
import type { RevisionTask } from '../revision-rules/types.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { checkedTasks } from './check-tasks.js';
import { loadRevision, type RevisionWithTasks } from './get-revision.js';
import { requireRevision, revisionPublished } from './require-revision.js';

export interface UpdateRevision {
  name?: string;
  /** Replaces all tasks. */
  rootTask?: RevisionTask;
}

/** Changes the name of a draft, replaces its tasks, or both. @throws Conflict `revision_published` */
export async function updateRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
  input: UpdateRevision,
): Promise<RevisionWithTasks> {
  context.actor.require('workflows:write');
  const { rootTask, ...changes } = input;
  const root = rootTask === undefined ? null : checkedTasks(rootTask);
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await lockDefinitionForChange(tx, definitionId);
    await requireRevision(tx, definitionId, revisionId);
    const wasDraft = await updateDraftRevision(tx, revisionId, {
      ...changes,
      updatedAt: context.clock.now(),
    });
    if (!wasDraft) throw revisionPublished();
    if (root !== null) await replaceDraftTasks(tx, revisionId, root);
    return loadRevision(tx, definitionId, revisionId);
  });
}
