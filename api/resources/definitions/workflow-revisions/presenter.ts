import type { WorkflowRevisionRow } from '../../../../db/definitions/workflow-revisions.js';
import type { WorkflowTaskAbilityRow } from '../../../../db/definitions/workflow-tasks.js';
import type { RevisionWithTasks } from '../../../../domain/definitions/workflow-revisions/get-revision.js';
import type { StoredTaskTree } from '../../../../domain/definitions/workflow-revisions/task-tree.js';
import type { RevisionResponse, RevisionSummaryResponse, WorkflowTaskResponse } from './schemas.js';

export function presentRevisionSummary(
  revision: WorkflowRevisionRow & { active: boolean },
): RevisionSummaryResponse {
  const { publishedAt, publishedByMemberId } = revision;
  return {
    id: revision.id,
    uuid: revision.uuid,
    workflowId: revision.definitionId,
    number: revision.number,
    name: revision.name,
    state: publishedAt === null ? 'draft' : 'published',
    active: revision.active,
    ...(publishedAt === null ? {} : { publishedAt: publishedAt.toISOString() }),
    ...(publishedByMemberId === null ? {} : { publishedByMemberId }),
    createdAt: revision.createdAt.toISOString(),
    updatedAt: revision.updatedAt.toISOString(),
  };
}

export function presentRevision(revision: RevisionWithTasks): RevisionResponse {
  return {
    ...presentRevisionSummary(revision),
    rootTask: revision.rootTask === null ? null : presentTask(revision.rootTask),
  };
}

function presentTask(task: StoredTaskTree): WorkflowTaskResponse {
  return {
    id: task.id,
    uuid: task.uuid,
    name: task.name,
    taskType: task.taskType,
    ...withoutNulls({
      prompt: task.prompt,
      shortPrompt: task.shortPrompt,
      choicePrompt: task.choicePrompt,
      description: task.description,
    }),
    configuration: task.configuration,
    ...withoutNulls({ celGuard: task.celGuard, celCondition: task.celCondition }),
    autoNext: task.autoNext,
    required: task.required,
    order: task.order,
    abilities: task.abilities.map(presentAbility),
    children: task.children.map(presentTask),
  };
}

function presentAbility({ id, uuid, abilityType, config, enabled, celCondition }: WorkflowTaskAbilityRow) {
  return { id, uuid, abilityType, config, enabled, ...withoutNulls({ celCondition }) };
}

type WithoutNulls<T> = { [Key in keyof T]?: NonNullable<T[Key]> };

/** Omits optional fields without a value from an answer. */
function withoutNulls<T extends Record<string, string | null>>(fields: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as WithoutNulls<T>;
}
