import { archiveWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/archive-workflow-definition.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { holdWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/hold-workflow-definition.js';
import { lockWorkflowForChange } from '../../../../domain/definitions/workflow-definitions/lock-workflow-for-change.js';
import { resumeWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/resume-workflow-definition.js';
import { updateWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/update-workflow-definition.js';
import {
  getWorkflowDefinition,
  listWorkflowDefinitions,
} from '../../../../domain/definitions/workflow-definitions/workflow-definitions.js';
import { importWorkflow } from '../../../../domain/definitions/workflow-files/import-workflow.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { visitReminder } from '../workflow-revisions/example.js';
import { presentRevision } from '../workflow-revisions/presenter.js';
import { ImportWorkflowRequest } from '../workflow-revisions/schemas.js';
import { presentWorkflow } from './presenter.js';
import {
  CreateWorkflowRequest,
  HoldWorkflowRequest,
  ListWorkflowsQuery,
  UpdateWorkflowRequest,
  WorkflowImportResponse,
  WorkflowPage,
  WorkflowResponse,
} from './schemas.js';

const archivedConflict = { 409: 'The workflow is archived.' };

const workflows = resource({
  tag: 'Workflows',
  path: '/w/{workspace_uuid}/workflows',
  read: workspaceMember({ scope: 'workflows:read' }),
  write: workspaceMember({ scope: 'workflows:write', permission: 'workflows:write' }),
});

const list = workflows.list({
  operationId: 'listWorkflows',
  summary: 'List workflows',
  query: ListWorkflowsQuery,
  response: WorkflowPage,
  handler: async ({ context, query }) => {
    const found = await listWorkflowDefinitions(context, query);
    return presentPage(query, found, (definition) => presentWorkflow(definition, context.actor));
  },
});

const create = workflows.create({
  operationId: 'createWorkflow',
  audit: ['workflow:roles_changed'],
  summary: 'Create a workflow',
  description: 'The workflow can be used once one of its revisions is published and active.',
  body: CreateWorkflowRequest,
  example: {
    body: {
      name: 'Visit reminder, for children',
      description: 'Asks whether the visit takes place.',
      assistantMemberId: demo.assistantMemberId,
    },
  },
  response: WorkflowResponse,
  handler: async ({ context, body }) =>
    presentWorkflow(await createWorkflowDefinition(context, body), context.actor),
});

const importFile = workflows.create('/import', {
  operationId: 'importWorkflow',
  summary: 'Import a workflow from a file',
  description:
    'Creates a workflow with a draft, and the data types of the file that the workspace lacks, for which the permission datatypes:write is needed. Data types that exist stay as they are. For a new draft of an existing workflow, send the rootTask of the file to createWorkflowRevision.',
  body: ImportWorkflowRequest,
  example: { body: { name: 'Visit reminder, imported', dataTypes: [], rootTask: visitReminder } },
  response: WorkflowImportResponse,
  handler: async ({ context, body }) => {
    const { definition, revision, createdDataTypes } = await importWorkflow(context, body);
    return {
      workflow: presentWorkflow(definition, context.actor),
      revision: presentRevision(revision),
      createdDataTypes,
    };
  },
});

const get = workflows.get('/{workflow_id}', {
  operationId: 'getWorkflow',
  summary: 'Get a workflow',
  response: WorkflowResponse,
  etag: true,
  handler: async ({ context, params }) =>
    presentWorkflow(await getWorkflowDefinition(context, params.workflow_id), context.actor),
});

const ifMatch = {
  current: get,
  lock: ({ context, params }: { context: CommandContext; params: { workflow_id: number } }) =>
    lockWorkflowForChange(context, params.workflow_id),
};

const update = workflows.update('/{workflow_id}', {
  operationId: 'updateWorkflow',
  audit: ['workflow:roles_changed'],
  summary: 'Change a workflow',
  description: 'Omitted fields keep their values; null clears a field.',
  body: UpdateWorkflowRequest,
  example: { body: { description: 'Asks the day before whether the member comes.' } },
  response: WorkflowResponse,
  ifMatch,
  errors: archivedConflict,
  handler: async ({ context, params, body }) =>
    presentWorkflow(await updateWorkflowDefinition(context, params.workflow_id, body), context.actor),
});

const remove = workflows.remove('/{workflow_id}', {
  operationId: 'deleteWorkflow',
  summary: 'Archive a workflow',
  description:
    'The workflow accepts no new chats or assignments; existing assignments continue. It remains readable by its id.',
  example: { params: { workflow_id: demo.workflowToArchive } },
  ifMatch,
  handler: async ({ context, params }) => archiveWorkflowDefinition(context, params.workflow_id),
});

const hold = workflows.act('/{workflow_id}/hold', {
  operationId: 'holdWorkflow',
  summary: 'Hold a workflow',
  description:
    'The assignments of all its revisions rest until the workflow is resumed, and none is lost: the agent has no turn, timers wait, no task is entered or completed and no message is queued. Messages that are queued already are sent. New chats and assignments are accepted, and begin after the resumption. Messages of members are stored; a colleague is alerted (`workflow_held`), and the agent answers after the resumption. Assignments can be cancelled and ended; selecting a task is refused with 409 `workflow_held`. An archived workflow can be held too. Holding a held workflow changes the reason, if one is given, and nothing else.',
  body: HoldWorkflowRequest,
  example: {
    params: { workflow_id: demo.workflowToArchive },
    body: { reason: 'The clinic is closed this week.' },
  },
  response: WorkflowResponse,
  ifMatch,
  handler: async ({ context, params, body }) => {
    const held = await holdWorkflowDefinition(context, params.workflow_id, body.reason ?? null);
    return presentWorkflow(held, context.actor);
  },
});

const resume = workflows.act('/{workflow_id}/resume', {
  operationId: 'resumeWorkflow',
  summary: 'Resume a held workflow',
  description:
    'Its assignments continue where they rest: what has come due meanwhile takes effect now. The runs that have met the hold are woken by and by, some hundreds a second. Resuming a workflow that is not held changes nothing.',
  example: { params: { workflow_id: demo.workflowToArchive } },
  response: WorkflowResponse,
  ifMatch,
  handler: async ({ context, params }) =>
    presentWorkflow(await resumeWorkflowDefinition(context, params.workflow_id), context.actor),
});

export const workflowRoutes = [list, create, importFile, get, update, remove, hold, resume];
