import { holdWorkspace as hold } from '../../../../domain/identity/workspaces/hold-workspace.js';
import { getWorkspaceHold as get } from '../../../../domain/identity/workspaces/read-hold.js';
import { resumeWorkspace as resume } from '../../../../domain/identity/workspaces/resume-workspace.js';
import { workspaceMember } from '../../../http/access.js';
import { resource } from '../../../http/resource.js';
import { HoldWorkspaceRequest, presentHold, WorkspaceHold } from './schemas.js';

const workspaceHold = resource({
  tag: 'Workspaces',
  path: '/w/{workspace_uuid}/workspace-hold',
  read: workspaceMember({ scope: 'workspace:read' }),
  write: workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' }),
});

const getWorkspaceHold = workspaceHold.get({
  operationId: 'getWorkspaceHold',
  summary: 'Get whether the workspace is held',
  description: 'Since when, until when, why and by whom. `GET W` has it as well, as `hold`.',
  response: WorkspaceHold,
  handler: async ({ context }) => presentHold(await get(context), context.actor),
});

const holdWorkspace = workspaceHold.act({
  operationId: 'holdWorkspace',
  audit: ['workspace:held'],
  summary: 'Hold everything in the workspace',
  description:
    'Agents have no turn, assignments rest as in a held workflow, follow-ups, scheduled messages, SMS and emails wait, also those of colleagues, and no call is dialled; one that is up ends with a goodbye. All of it goes on, once, when the hold ends. Messages of members are stored, and a colleague is alerted (`workspace_held`). Not held: webhooks, confirmations of opt-outs, login codes and notices to colleagues. Holding a held workspace changes the reason and the end, where they are given.',
  body: HoldWorkspaceRequest,
  example: { body: { reason: 'The price in the reminders is wrong.' } },
  response: WorkspaceHold,
  handler: async ({ context, body }) => {
    const { until, ...rest } = body;
    const end = until === undefined ? {} : { until: until === null ? null : new Date(until) };
    return presentHold(await hold(context, { ...rest, ...end }), context.actor);
  },
});

const resumeWorkspace = workspaceHold.remove('', {
  operationId: 'resumeWorkspace',
  audit: ['workspace:resumed'],
  summary: 'End the hold of the workspace',
  description:
    'What rests goes on by and by, some hundreds a second; the time of the hold makes none of it too late. Changes nothing if the workspace is not held.',
  handler: async ({ context }) => resume(context),
});

export const workspaceHoldRoutes = [getWorkspaceHold, holdWorkspace, resumeWorkspace];
