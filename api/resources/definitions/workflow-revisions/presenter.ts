import type { WorkflowRevisionRow } from '../../../../db/definitions/workflow-revisions.js';
import type { RevisionAbility, RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import type { TaskType } from '../../../../domain/definitions/task-tree/task-types.js';
import type { WorkflowFile as ExportedWorkflow } from '../../../../domain/definitions/workflow-files/workflow-file.js';
import type { AbilityType } from '../../../../domain/kernel/abilities.js';
import { omitNullish } from '../../../http/omit-nullish.js';
import type { WorkflowFile } from './schemas.js';

export function presentRevision<Revision extends WorkflowRevisionRow>(revision: Revision) {
  const state: 'draft' | 'published' = revision.publishedAt === null ? 'draft' : 'published';
  return { ...revision, workflowId: revision.definitionId, state };
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
