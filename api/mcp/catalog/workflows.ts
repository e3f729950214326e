import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { adds, moves, reads, replaces } from './annotations.js';

const list = defineTool({
  name: 'list_workflows',
  title: 'List workflows',
  description:
    'Lists the workflows of the workspace: what each is for, its active revision, and whether the caller may use it. The id is the workflowId of create_assignment and create_chat. Next: list_workflow_revisions for its versions and drafts.',
  route: routeOf('listWorkflows'),
  annotations: reads,
  untrusted: true,
});

const listRevisions = defineTool({
  name: 'list_workflow_revisions',
  title: 'List the revisions of a workflow',
  description:
    'Lists the revisions of a workflow without their tasks: number, name, state (draft or published) and which one is active. Next: get_workflow_revision for the tasks of one.',
  route: routeOf('listWorkflowRevisions'),
  annotations: reads,
  untrusted: true,
});

const getRevision = defineTool({
  name: 'get_workflow_revision',
  title: 'Get a revision with its tasks',
  description:
    'Returns a revision with its whole tree of tasks: types, prompts, guards, conditions, abilities. Read the active revision before you draft a change, and keep the uuid of each task that stays.',
  route: routeOf('getWorkflowRevision'),
  annotations: reads,
  untrusted: true,
});

const createRevision = defineTool({
  name: 'create_workflow_revision',
  title: 'Create a draft of a workflow',
  description:
    'Creates a draft, with the tasks of rootTask or a copy of another revision (fromRevisionId). It takes no effect until it is published. An expression that does not parse is refused, with the task and the position. Returns the draft with its id. Next: update_workflow_revision to change it, check_workflow_revision before it is published.',
  route: routeOf('createWorkflowRevision'),
  annotations: adds,
  untrusted: true,
});

const updateRevision = defineTool({
  name: 'update_workflow_revision',
  title: 'Change a draft of a workflow',
  description:
    'Changes the name of a draft, or replaces all of its tasks by rootTask: send the whole tree, with the uuid of each task that stays. Published revisions are refused: make a draft of one by create_workflow_revision with fromRevisionId. Returns the draft. Next: check_workflow_revision.',
  route: routeOf('updateWorkflowRevision'),
  annotations: replaces,
  untrusted: true,
});

const checkRevision = defineTool({
  name: 'check_workflow_revision',
  title: 'Check a draft of a workflow',
  description:
    'Tells whether a draft could be published, and changes nothing. A refusal (revision_not_publishable) lists all that is wrong, each with its task; otherwise warnings has what is probably wrong, and assignments where active assignments of the workflow stand. Next: update_workflow_revision to repair it, or publish_workflow_revision.',
  route: routeOf('publishWorkflowRevision'),
  omit: ['activate', 'dryRun'],
  defaults: { dryRun: true },
  annotations: reads,
  untrusted: true,
});

const publishRevision = defineTool({
  name: 'publish_workflow_revision',
  title: 'Publish a draft of a workflow',
  description:
    'Makes a draft immutable and, unless activate is false, has new chats and assignments use it from now on; those under way keep their revision. Check it by check_workflow_revision first, and ask the person: members meet the new tasks at once. Returns the revision, with warnings.',
  route: routeOf('publishWorkflowRevision'),
  omit: ['dryRun'],
  annotations: moves,
  confirmed: 'New chats and assignments of the workflow use the revision from now on.',
  untrusted: true,
});

export const workflowTools = [
  list,
  listRevisions,
  getRevision,
  createRevision,
  updateRevision,
  checkRevision,
  publishRevision,
];
