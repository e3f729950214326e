import type { WorkflowRevisionRow } from '../../../../db/definitions/workflow-revisions.js';
import type { RevisionAbility, RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import type { TaskType } from '../../../../domain/definitions/task-tree/task-types.js';
import type { TaskAbility } from '../../../../domain/definitions/task-tree/types.js';
import type { WorkflowFile as ExportedWorkflow } from '../../../../domain/definitions/workflow-files/workflow-file.js';
import type { RevisionWithImpact } from '../../../../domain/definitions/workflow-revisions/publish-revision.js';
import type { StoredTaskTree } from '../../../../domain/definitions/workflow-revisions/task-tree.js';
import type { RevisionWithTasks } from '../../../../domain/definitions/workflow-revisions/workflow-revisions.js';
import type { AbilityType } from '../../../../domain/kernel/abilities.js';
import { omitNullish } from '../../../http/omit-nullish.js';
import type {
  PublishedRevisionResponse,
  RevisionResponse,
  RevisionSummaryResponse,
  WorkflowFile,
  WorkflowTaskResponse,
} from './schemas.js';

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
    ...omitNullish({ publishedAt: publishedAt?.toISOString(), publishedByMemberId }),
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

export function presentPublished({
  warnings,
  assignments,
  ...revision
}: RevisionWithImpact): PublishedRevisionResponse {
  return {
    ...presentRevision(revision),
    warnings: warnings.map(({ taskUuid, ...warning }) => ({ ...warning, ...omitNullish({ taskUuid }) })),
    assignments,
  };
}

export function presentWorkflowFile(file: ExportedWorkflow): WorkflowFile {
  const { name, description, dataTypes = [], rootTask } = file;
  return {
    name,
    ...omitNullish({ description }),
    dataTypes: dataTypes as WorkflowFile['dataTypes'] & object,
    rootTask: presentFileTask(rootTask),
  };
}

/** Without ids, and without what is the default. */
function presentFileTask(task: RevisionTask): WorkflowFile['rootTask'] {
  const { uuid, name, taskType, configuration = {}, abilities = [], children = [] } = task;
  return {
    ...omitNullish({ uuid }),
    name,
    taskType: taskType as TaskType,
    ...omitNullish({
      prompt: task.prompt,
      shortPrompt: task.shortPrompt,
      choicePrompt: task.choicePrompt,
      description: task.description,
      celGuard: task.celGuard,
      celCondition: task.celCondition,
      afterCall: task.afterCall,
      realtimeModelConfig: task.realtimeModelConfig,
    }),
    ...(Object.keys(configuration).length === 0 ? {} : { configuration }),
    ...(task.autoNext ? { autoNext: true } : {}),
    ...(task.required ? { required: true } : {}),
    ...(abilities.length === 0 ? {} : { abilities: abilities.map(presentFileAbility) }),
    ...(children.length === 0 ? {} : { children: children.map(presentFileTask) }),
  };
}

function presentFileAbility({ abilityType, config = {}, enabled, celCondition }: RevisionAbility) {
  return {
    abilityType: abilityType as AbilityType,
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(enabled === false ? { enabled } : {}),
    ...omitNullish({ celCondition }),
  };
}

function presentTask(task: StoredTaskTree): WorkflowTaskResponse {
  return {
    id: task.id,
    uuid: task.uuid,
    name: task.name,
    taskType: task.taskType,
    ...omitNullish({
      prompt: task.prompt,
      shortPrompt: task.shortPrompt,
      choicePrompt: task.choicePrompt,
      description: task.description,
    }),
    configuration: task.configuration,
    ...omitNullish({
      celGuard: task.celGuard,
      celCondition: task.celCondition,
      afterCall: task.afterCall,
      realtimeModelConfig: task.realtimeModelConfig,
    }),
    autoNext: task.autoNext,
    required: task.required,
    order: task.order,
    abilities: task.abilities.map(presentAbility),
    children: task.children.map(presentTask),
  };
}

export function presentAbility({ id, uuid, abilityType, config, enabled, celCondition }: TaskAbility) {
  return { id, uuid, abilityType, config, enabled, ...omitNullish({ celCondition }) };
}
