import Type from 'typebox';
import {
  getOrganizationOfWorkspace as get,
  leaveOrganization as leave,
  mostWorkspacesOfOrganization,
  setOrganizationOfWorkspace as set,
} from '../../../../domain/identity/organizations/organization-of-workspace.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Picked, Uuid } from '../../../http/schemas.js';

const tag = 'Organizations';

const OrganizationOfWorkspace = Picked(
  { uuid: Uuid, name: Type.String(), slug: Type.String() },
  { $id: 'OrganizationOfWorkspaceResponse' },
);

const getOfWorkspace = defineRoute({
  operationId: 'getOrganizationOfWorkspace',
  method: 'GET',
  path: '/w/{workspace_uuid}/organization',
  tag,
  summary: 'Get the organization of a workspace',
  description: 'A workspace belongs to one organization at most; 404: to none.',
  access: workspaceMember({ scope: 'workspace:read' }),
  response: { status: 200, schema: OrganizationOfWorkspace },
  handler: async ({ context }) => get(context),
});

const setOfWorkspace = defineRoute({
  operationId: 'setOrganizationOfWorkspace',
  audit: ['workspace:joined'],
  method: 'PUT',
  path: '/w/{workspace_uuid}/organization',
  tag,
  summary: 'Put a workspace into an organization',
  description: `For who is an admin of the workspace and an owner of the organization, with a session. The settings of the organization then hold for the workspace. An organization has at most ${mostWorkspacesOfOrganization} workspaces.`,
  access: workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' }),
  body: Type.Object(
    { organizationUuid: Type.String({ ...Uuid, description: 'UUID of the organization' }) },
    { $id: 'SetOrganizationRequest' },
  ),
  example: { body: { organizationUuid: demo.organizationUuid } },
  response: { status: 200, schema: OrganizationOfWorkspace },
  errors: {
    409: 'The workspace belongs to another organization (`other_organization`), or the organization has as many workspaces as allowed (`too_many_workspaces`).',
  },
  handler: async ({ context, body }) => set(context, body.organizationUuid),
});

const leaveOfWorkspace = defineRoute({
  operationId: 'removeOrganizationOfWorkspace',
  audit: ['workspace:left'],
  method: 'DELETE',
  path: '/w/{workspace_uuid}/organization',
  tag,
  summary: 'Take a workspace out of its organization',
  description: 'For who is an admin of the workspace and an owner of the organization, with a session.',
  access: workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' }),
  example: { once: true },
  response: { status: 204 },
  handler: async ({ context }) => leave(context),
});

export const workspaceOrganizationRoutes = [getOfWorkspace, setOfWorkspace, leaveOfWorkspace];
