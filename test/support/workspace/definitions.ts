import type { PhoneNumberRow } from '../../../db/channels/phone-numbers.js';
import { patchWorkflowDefinition } from '../../../db/definitions/workflow-definitions.js';
import { patchDraftRevision } from '../../../db/definitions/workflow-revisions.js';
import { replaceDraftTasks } from '../../../db/definitions/workflow-tasks.js';
import {
  type CreatePhoneNumber,
  createPhoneNumber,
} from '../../../domain/channels/phone-numbers/create-phone-number.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/definitions/workflow-revisions/publish-revision.js';
import { completeTask } from '../../../domain/definitions/workflow-revisions/task-tree.js';
import { randomTag, type TestWorkspace } from './factories.js';
import { pooledPhone } from './phone-number-pool.js';

export interface PublishedDefinition {
  workflowId: number;
  revisionId: number;
  name: string;
}

/** A definition with one revision, published and active, that has these tasks. */
export async function publishDefinition(
  workspace: TestWorkspace,
  rootTask: RevisionTask,
  options: { defaultPhoneNumberId?: number; assistantMemberId?: number; roleIds?: number[] } = {},
): Promise<PublishedDefinition> {
  const context = workspace.context();
  const name = `Workflow ${randomTag()}`;
  const definition = await createWorkflowDefinition(context, { name, ...options });
  const revision = await createRevision(context, definition.id, { rootTask });
  await publishRevision(context, definition.id, revision.id);
  return { workflowId: definition.id, revisionId: revision.id, name };
}

/** `publishDefinition` without any check: such revisions of earlier releases are still in databases. */
export async function publishUnchecked(
  workspace: TestWorkspace,
  rootTask: RevisionTask,
): Promise<PublishedDefinition> {
  const context = workspace.context();
  const name = `Workflow ${randomTag()}`;
  const { id: workflowId } = await createWorkflowDefinition(context, { name });
  const { id: revisionId } = await createRevision(context, workflowId, {});
  await workspace.within(async (tx) => {
    await replaceDraftTasks(tx, revisionId, completeTask(rootTask));
    const updatedAt = context.clock.now();
    await patchDraftRevision(tx, revisionId, { publishedAt: updatedAt, updatedAt });
    await patchWorkflowDefinition(tx, workflowId, { activeRevisionId: revisionId, updatedAt });
  });
  return { workflowId, revisionId, name };
}

/** A definition whose active revision is newer than another published one. */
export async function publishTwice(
  workspace: TestWorkspace,
  rootTask: RevisionTask,
): Promise<{ workflowId: number; oldRevisionId: number; activeRevisionId: number }> {
  const { workflowId, revisionId: oldRevisionId } = await publishDefinition(workspace, rootTask);
  const { id } = await createRevision(workspace.context(), workflowId, { rootTask });
  await publishRevision(workspace.context(), workflowId, id);
  return { workflowId, oldRevisionId, activeRevisionId: id };
}

/** A number of the workspace's own. */
export async function addPhoneNumber(
  workspace: TestWorkspace,
  options: Partial<
    Pick<
      CreatePhoneNumber,
      'inboundWorkflowId' | 'smsEnabled' | 'mmsEnabled' | 'voiceEnabled' | 'segmentsPerSecond'
    >
  > = {},
): Promise<PhoneNumberRow> {
  return createPhoneNumber(workspace.context(), {
    number: await pooledPhone(workspace.database),
    name: `Number ${randomTag()}`,
    ...options,
  });
}

/** Asks, and goes on to one of two ends: the smallest tree in which there is something to choose. */
export function conversationTasks(): RevisionTask {
  return {
    name: 'Ask',
    taskType: 'conversation',
    prompt: 'Ask {{ member.name }} how it went.',
    shortPrompt: 'How it went',
    description: 'The first question',
    abilities: [{ abilityType: 'handoff' }],
    children: [
      {
        name: 'Good',
        taskType: 'conclude',
        choicePrompt: 'It went well',
        configuration: { outcome: 'good' },
      },
      {
        name: 'Closed',
        taskType: 'conversation',
        celGuard: 'assignment.is_test',
        abilities: [{ abilityType: 'conclude' }],
        children: [{ name: 'Inner', taskType: 'conclude' }],
      },
      {
        name: 'Later',
        taskType: 'wait',
        celCondition: 'member.name == "Nobody"',
        configuration: { for: 'P1D' },
        autoNext: true,
      },
    ],
  };
}
