import Type from 'typebox';
import {
  getOrganizationOfWorkspace as get,
  leaveOrganization as leave,
  maxWorkspacesOfOrganization,
  setOrganizationOfWorkspace as set,
} from '../../../../domain/identity/organizations/organization-of-workspace.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { Picked, Uuid } from '../../../http/schemas.js';

const OrganizationOfWorkspace = Picked(
  { uuid: Uuid, name: Type.String(), slug: Type.String() },
  { $id: 'OrganizationOfWorkspaceResponse' },
);

const organization = resource({
  tag: 'Organizations',
  path: '/w/{workspace_uuid}/organization',
  read: workspaceMember({ scope: 'workspace:read' }),
  write: workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' }),
});

const getOfWorkspace = organization.get({
  operationId: 'getOrganizationOfWorkspace',
  summary: 'Get the organization of a workspace',
  description: 'A workspace belongs to one organization at most; 404: to none.',
  response: OrganizationOfWorkspace,
  handler: async ({ context }) => get(context),
});

const setOfWorkspace = organization.update({
  operationId: 'setOrganizationOfWorkspace',
  audit: ['workspace:joined'],
  summary: 'Put a workspace into an organization',
  description: `For who is an admin of the workspace and an owner of the organization, with a session. The settings of the organization then hold for the workspace. An organization has at most ${maxWorkspacesOfOrganization} workspaces.`,
  body: Type.Object(
    { organizationUuid: Type.String({ ...Uuid, description: 'UUID of the organization' }) },
    { $id: 'SetOrganizationRequest' },
  ),
  example: { body: { organizationUuid: demo.organizationUuid } },
  response: OrganizationOfWorkspace,
  errors: {
    409: 'The workspace belongs to another organization (`other_organization`), or the organization has as many workspaces as allowed (`too_many_workspaces`).',
  },
  handler: async ({ context, body }) => set(context, body.organizationUuid),
});

const leaveOfWorkspace = organization.remove('', {
  operationId: 'removeOrganizationOfWorkspace',
  audit: ['workspace:left'],
  summary: 'Take a workspace out of its organization',
  description: 'For who is an admin of the workspace and an owner of the organization, with a session.',
  example: { once: true },
  handler: async ({ context }) => leave(context),
});

export const workspaceOrganizationRoutes = [getOfWorkspace, setOfWorkspace, leaveOfWorkspace];
