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
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
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

const archived = { 409: 'The workflow is archived.' };
const frozen = { 409: 'The revision is published, or the workflow is archived.' };

const revisions = resource({
  tag: 'Workflow revisions',
  path: '/w/{workspace_uuid}/workflows/{workflow_id}/revisions',
  read: workspaceMember({ scope: 'workflows:read', permission: 'workflows:read' }),
  write: workspaceMember({ scope: 'workflows:write', permission: 'workflows:write' }),
});

const list = revisions.list({
  operationId: 'listWorkflowRevisions',
  summary: 'List the revisions of a workflow',
  description: 'Without their tasks.',
  query: ListRevisionsQuery,
  response: RevisionPage,
  handler: async ({ context, params, query }) => {
    const found = await listRevisions(context, params.workflow_id, query);
    return presentPage(query, found, presentRevision);
  },
});

const create = revisions.create({
  operationId: 'createWorkflowRevision',
  summary: 'Create a draft',
  description:
    'Takes its tasks from rootTask or from another revision (fromRevisionId), or is empty. Expressions that do not parse are refused, with the task and the position. See docs/workflows.md.',
  body: CreateRevisionRequest,
  example: { body: { name: 'Shorter', rootTask: visitReminder } },
  response: RevisionResponse,
  errors: archived,
  handler: async ({ context, params, body }) =>
    presentRevision(await createRevision(context, params.workflow_id, body)),
});

const get = revisions.get('/{revision_id}', {
  operationId: 'getWorkflowRevision',
  summary: 'Get a revision with its tree of tasks',
  response: RevisionResponse,
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

const update = revisions.update('/{revision_id}', {
  operationId: 'updateWorkflowRevision',
  summary: 'Change a draft',
  description: "rootTask replaces all tasks. To keep a task's identity, send its uuid.",
  body: UpdateRevisionRequest,
  example: { params: { revision_id: demo.draftId }, body: { name: 'Draft', rootTask: visitReminder } },
  response: RevisionResponse,
  ifMatch,
  errors: frozen,
  handler: async ({ context, params, body }) =>
    presentRevision(await updateRevision(context, params.workflow_id, params.revision_id, body)),
});

const remove = revisions.remove('/{revision_id}', {
  operationId: 'deleteWorkflowRevision',
  summary: 'Delete a draft',
  example: { params: { revision_id: demo.draftToDelete }, once: true },
  ifMatch,
  errors: frozen,
  handler: async ({ context, params }) => deleteRevision(context, params.workflow_id, params.revision_id),
});

const publish = revisions.act('/{revision_id}/publish', {
  operationId: 'publishWorkflowRevision',
  summary: 'Publish a draft',
  description:
    'Makes the revision immutable and, by default, activates it. A draft that is surely wrong is refused with all reasons at once (`revision_not_publishable`; docs/workflows.md): a task from which nothing leads on, one that can never be entered, an expression that names a task, field or data type that does not exist, a time that is none. What is probably wrong is in `warnings`. `assignments` tells where the active assignments of the workflow stand: they keep their revision. With `dryRun`, nothing is changed. A published revision is returned unchanged.',
  body: PublishRevisionRequest,
  example: { params: { revision_id: demo.draftToPublish }, body: { activate: true } },
  response: PublishedRevisionResponse,
  ifMatch,
  errors: archived,
  handler: async ({ context, params, body }) =>
    presentRevision(await publishRevision(context, params.workflow_id, params.revision_id, body)),
});

const activate = revisions.act('/{revision_id}/activate', {
  operationId: 'activateWorkflowRevision',
  summary: 'Activate a published revision',
  description:
    'New chats and assignments use it; activating an older revision is a rollback. Existing assignments keep their revision: `assignments` tells where they stand. `warnings` has what publishing would warn of or refuse today.',
  response: PublishedRevisionResponse,
  ifMatch,
  errors: { 409: 'The revision is a draft, or the workflow is archived.' },
  handler: async ({ context, params }) =>
    presentRevision(await activateRevision(context, params.workflow_id, params.revision_id)),
});

const exportFile = revisions.get('/{revision_id}/export', {
  operationId: 'exportWorkflowRevision',
  summary: 'Export a revision as a file',
  description:
    'With the data types that it names. The answer is what importWorkflow takes, also in another workspace, and what `npm run play` plays.',
  response: WorkflowFile,
  errors: { 409: 'The revision has no tasks.' },
  handler: async ({ context, params }) =>
    presentWorkflowFile(await exportWorkflow(context, params.workflow_id, params.revision_id)),
});

export const revisionRoutes = [list, create, get, update, remove, publish, activate, exportFile];
