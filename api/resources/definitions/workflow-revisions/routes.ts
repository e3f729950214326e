import { lockWorkflowForChange } from '../../../../domain/definitions/workflow-definitions/lock-workflow-for-change.js';
import { exportWorkflow } from '../../../../domain/definitions/workflow-files/export-workflow.js';
import { activateRevision } from '../../../../domain/definitions/workflow-revisions/activate-revision.js';
import { createRevision } from '../../../../domain/definitions/workflow-revisions/create-revision.js';
import { deleteRevision } from '../../../../domain/definitions/workflow-revisions/delete-revision.js';
import { publishRevision } from '../../../../domain/definitions/workflow-revisions/publish-revision.js';
import { updateRevision } from '../../../../domain/definitions/workflow-revisions/update-revision.js';
import {
  getRevision,
  listRevisions,
} from '../../../../domain/definitions/workflow-revisions/workflow-revisions.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { visitReminder } from './example.js';
import { presentRevision, presentWorkflowFile } from './presenter.js';
import {
  CreateRevisionRequest,
  ListRevisionsQuery,
  PublishedRevisionResponse,
  PublishRevisionRequest,
  RevisionPage,
  RevisionResponse,
  UpdateRevisionRequest,
  WorkflowFile,
} from './schemas.js';

const collection = '/w/{workspace_uuid}/workflows/{workflow_id}/revisions';
const item = `${collection}/{revision_id}` as const;
const readers = workspaceMember({ scope: 'workflows:read', permission: 'workflows:read' });
const writers = workspaceMember({ scope: 'workflows:write', permission: 'workflows:write' });
const archived = { 409: 'The workflow is archived.' };
const frozen = { 409: 'The revision is published, or the workflow is archived.' };

const list = defineRoute({
  operationId: 'listWorkflowRevisions',
  method: 'GET',
  path: collection,
  tag: 'Workflow revisions',
  summary: 'List the revisions of a workflow',
  description: 'Without their tasks.',
  access: readers,
  query: ListRevisionsQuery,
  response: { status: 200, schema: RevisionPage },
  handler: async ({ context, params, query }) => {
    const found = await listRevisions(context, params.workflow_id, query);
    return presentPage(query, found, presentRevision);
  },
});

const create = defineRoute({
  operationId: 'createWorkflowRevision',
  method: 'POST',
  path: collection,
  tag: 'Workflow revisions',
  summary: 'Create a draft',
  description:
    'Takes its tasks from rootTask or from another revision (fromRevisionId), or is empty. Expressions that do not parse are refused, with the task and the position. See docs/workflows.md.',
  access: writers,
  body: CreateRevisionRequest,
  example: { body: { name: 'Shorter', rootTask: visitReminder } },
  response: { status: 201, schema: RevisionResponse },
  errors: archived,
  handler: async ({ context, params, body }) =>
    presentRevision(await createRevision(context, params.workflow_id, body)),
});

const get = defineRoute({
  operationId: 'getWorkflowRevision',
  method: 'GET',
  path: item,
  tag: 'Workflow revisions',
  summary: 'Get a revision with its tree of tasks',
  access: readers,
  response: { status: 200, schema: RevisionResponse },
  etag: true,
  handler: async ({ context, params }) =>
    presentRevision(await getRevision(context, params.workflow_id, params.revision_id)),
});

/** Changes of revisions take the lock of their workflow. */
const ifMatch = {
  current: get,
  lock: ({ context, params }: { context: CommandContext; params: { workflow_id: number } }) =>
    lockWorkflowForChange(context, params.workflow_id),
};

const update = defineRoute({
  operationId: 'updateWorkflowRevision',
  method: 'PUT',
  path: item,
  tag: 'Workflow revisions',
  summary: 'Change a draft',
  description: "rootTask replaces all tasks. To keep a task's identity, send its uuid.",
  access: writers,
  body: UpdateRevisionRequest,
  example: { params: { revision_id: demo.draftId }, body: { name: 'Draft', rootTask: visitReminder } },
  response: { status: 200, schema: RevisionResponse },
  ifMatch,
  errors: frozen,
  handler: async ({ context, params, body }) =>
    presentRevision(await updateRevision(context, params.workflow_id, params.revision_id, body)),
});

const remove = defineRoute({
  operationId: 'deleteWorkflowRevision',
  method: 'DELETE',
  path: item,
  tag: 'Workflow revisions',
  summary: 'Delete a draft',
  access: writers,
  example: { params: { revision_id: demo.draftToDelete }, once: true },
  response: { status: 204 },
  ifMatch,
  errors: frozen,
  handler: async ({ context, params }) => deleteRevision(context, params.workflow_id, params.revision_id),
});

const publish = defineRoute({
  operationId: 'publishWorkflowRevision',
  method: 'POST',
  path: `${item}/publish`,
  tag: 'Workflow revisions',
  summary: 'Publish a draft',
  description:
    'Makes the revision immutable and, by default, activates it. A draft that is surely wrong is refused with all reasons at once (`revision_not_publishable`; docs/workflows.md): a task from which nothing leads on, one that can never be entered, an expression that names a task, field or data type that does not exist, a time that is none. What is probably wrong is in `warnings`. `assignments` tells where the active assignments of the workflow stand: they keep their revision. With `dryRun`, nothing is changed. A published revision is returned unchanged.',
  access: writers,
  body: PublishRevisionRequest,
  example: { params: { revision_id: demo.draftToPublish }, body: { activate: true } },
  response: { status: 200, schema: PublishedRevisionResponse },
  ifMatch,
  errors: archived,
  handler: async ({ context, params, body }) =>
    presentRevision(await publishRevision(context, params.workflow_id, params.revision_id, body)),
});

const activate = defineRoute({
  operationId: 'activateWorkflowRevision',
  method: 'POST',
  path: `${item}/activate`,
  tag: 'Workflow revisions',
  summary: 'Activate a published revision',
  description:
    'New chats and assignments use it; activating an older revision is a rollback. Existing assignments keep their revision: `assignments` tells where they stand. `warnings` has what publishing would warn of or refuse today.',
  access: writers,
  response: { status: 200, schema: PublishedRevisionResponse },
  ifMatch,
  errors: { 409: 'The revision is a draft, or the workflow is archived.' },
  handler: async ({ context, params }) =>
    presentRevision(await activateRevision(context, params.workflow_id, params.revision_id)),
});

const exportFile = defineRoute({
  operationId: 'exportWorkflowRevision',
  method: 'GET',
  path: `${item}/export`,
  tag: 'Workflow revisions',
  summary: 'Export a revision as a file',
  description:
    'With the data types that it names. The answer is what importWorkflow takes, also in another workspace, and what `npm run play` plays.',
  access: readers,
  response: { status: 200, schema: WorkflowFile },
  errors: { 409: 'The revision has no tasks.' },
  handler: async ({ context, params }) =>
    presentWorkflowFile(await exportWorkflow(context, params.workflow_id, params.revision_id)),
});

export const revisionRoutes = [list, create, get, update, remove, publish, activate, exportFile];
