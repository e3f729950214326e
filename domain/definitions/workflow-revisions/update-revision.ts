import { patchDraftRevision } from '../../../db/definitions/workflow-revisions.js';
import { replaceDraftTasks } from '../../../db/definitions/workflow-tasks.js';
import type { CommandContext } from '../../kernel/context.js';
import type { RevisionTask } from '../revision-rules/types.js';
import { lockDefinitionForChange } from '../workflow-definitions/require-definition.js';
import { checkedTasks } from './check-tasks.js';
import {
  loadRevision,
  type RevisionWithTasks,
  requireRevision,
  revisionPublished,
} from './workflow-revisions.js';

/** Changes the name of a draft, replaces all its tasks, or both. @throws Conflict `revision_published` */
export async function updateRevision(
  context: CommandContext,
  definitionId: number,
  revisionId: number,
  { rootTask, ...changes }: { name?: string; rootTask?: RevisionTask },
): Promise<RevisionWithTasks> {
  context.actor.require('workflows:write');
  const root = rootTask === undefined ? null : checkedTasks(rootTask);
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await lockDefinitionForChange(tx, definitionId);
    await requireRevision(tx, definitionId, revisionId);
    const updatedAt = context.clock.now();
    const wasDraft = await patchDraftRevision(tx, revisionId, { ...changes, updatedAt });
    if (!wasDraft) throw revisionPublished();
    if (root !== null) await replaceDraftTasks(tx, revisionId, root);
    return loadRevision(tx, definitionId, revisionId);
  });
}
