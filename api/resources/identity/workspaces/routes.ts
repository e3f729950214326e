import { createOwnWorkspace } from '../../../../domain/identity/workspaces/create-workspace.js';
import { getWorkspaceHold } from '../../../../domain/identity/workspaces/read-hold.js';
import {
  getWorkspace as get,
  listWorkspaces as list,
} from '../../../../domain/identity/workspaces/read-workspaces.js';
import { updateWorkspace as update } from '../../../../domain/identity/workspaces/update-workspace.js';
import { signedInAccount, workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import { presentHold } from '../workspace-hold/schemas.js';
import { presentToMember, presentWorkspace } from './presenter.js';
import { CreateWorkspaceRequest, UpdateWorkspaceRequest, WorkspaceResponse } from './schemas.js';

const tag = 'Workspaces';

const createWorkspace = defineRoute({
  operationId: 'createWorkspace',
  audit: ['workspace:created'],
  method: 'POST',
  path: '/workspaces',
  tag,
  summary: 'Create a workspace',
  description:
    'The workspace has the roles Admin and Member, and the caller as its first member, an admin. The operator decides who may create workspaces (`WORKSPACE_CREATION`): anyone, up to a limit per account, or superusers who are signed in.',
  access: signedInAccount({ scope: 'workspace:write' }),
  body: CreateWorkspaceRequest,
  example: { body: { name: 'Second Clinic', defaultRegion: 'US', timezone: 'America/New_York' } },
  response: { status: 201, schema: WorkspaceResponse },
  errors: { 409: 'The account has created the maximum number of workspaces (`too_many_workspaces`).' },
  handler: async ({ context, services: { policy }, body }) =>
    presentWorkspace(await createOwnWorkspace({ ...context, policy }, body)),
});

const listWorkspaces = defineRoute({
  operationId: 'listWorkspaces',
  method: 'GET',
  path: '/workspaces',
  tag,
  summary: "List the caller's workspaces",
  description: 'Without the settings that only those see who may change them: `GET W` has them.',
  access: signedInAccount({ scope: 'workspace:read', openToProviders: true }),
  query: PageQuery(['name', 'createdAt']),
  response: { status: 200, schema: Page(WorkspaceResponse) },
  handler: async ({ context, query }) => presentPage(query, await list(context, query), presentToMember),
});

const getWorkspace = defineRoute({
  operationId: 'getWorkspace',
  method: 'GET',
  path: '/w/{workspace_uuid}',
  tag,
  summary: 'Get a workspace',
  description:
    'How callers are proved, where calls and requests may go, who is told of waiting chats and how long the audit log is kept is shown with the permission workspace:write only. `hold` is in no other answer.',
  access: workspaceMember({ scope: 'workspace:read' }),
  response: { status: 200, schema: WorkspaceResponse },
  handler: async ({ context }) => {
    const workspace = await get(context);
    const hold = presentHold(await getWorkspaceHold(context), context.actor);
    const present = context.actor.can('workspace:write') ? presentWorkspace : presentToMember;
    return { ...present(workspace), hold };
  },
});

const updateWorkspace = defineRoute({
  operationId: 'updateWorkspace',
  audit: ['workspace:updated'],
  method: 'PUT',
  path: '/w/{workspace_uuid}',
  tag,
  summary: 'Change a workspace',
  description:
    'Omitted fields keep their values. `allowedOrigins` replaces the whole list; `[]` allows no other origin. What `chatRetentionDays`, `fileRetentionDays` and `recordingRetentionDays` delete, from the next night on, cannot be brought back (docs/person-data.md).',
  access: workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' }),
  body: UpdateWorkspaceRequest,
  example: { body: { name: 'Demo Clinic', defaultRegion: 'US' } },
  response: { status: 200, schema: WorkspaceResponse },
  handler: async ({ context, services: { policy }, body }) =>
    presentWorkspace(await update({ ...context, policy }, body)),
});

export const workspaceRoutes = [createWorkspace, listWorkspaces, getWorkspace, updateWorkspace];
