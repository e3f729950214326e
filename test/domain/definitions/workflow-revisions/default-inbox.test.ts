import { expect, it } from 'vitest';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../../domain/definitions/workflow-revisions/publish-revision.js';
import { addInbox } from '../../../support/workspace/inboxes.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

it('publishing warns exactly where no default inbox can be told for send_email', async () => {
  const context = workspace.context();
  const abilities = [{ abilityType: 'send_email' }, { abilityType: 'conclude' }];
  const rootTask = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', abilities };
  const { id: definitionId } = await createWorkflowDefinition(context, { name: 'Emails' });
  const { id } = await createRevision(context, definitionId, { rootTask });
  const warned = async () => {
    const { warnings } = await publishRevision(context, definitionId, id, { dryRun: true });
    return warnings.map(({ code }) => code).filter((code) => code === 'unknown_inbox').length === 1;
  };

  expect(await warned()).toBe(true);
  await addInbox(workspace);
  expect(await warned()).toBe(false);
  await addInbox(workspace);
  expect(await warned()).toBe(true);
  // Those of the workflow come before those of the workspace.
  await addInbox(workspace, { workflowId: definitionId });
  expect(await warned()).toBe(false);
  await addInbox(workspace, { workflowId: definitionId });
  expect(await warned()).toBe(true);
});
