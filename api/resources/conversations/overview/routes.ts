import { getOverview } from '../../../../domain/conversations/overview/get-overview.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentHold } from '../../identity/workspace-hold/schemas.js';
import { OverviewResponse } from './schemas.js';

const get = defineRoute({
  operationId: 'getOverview',
  method: 'GET',
  path: '/w/{workspace_uuid}/overview',
  tag: 'Workspaces',
  summary: 'Get what needs a person in a workspace',
  description:
    'Counts for a first page, in one request. Each field is there for callers that may list what it counts. Counts end at 1,000, which says that it is so many or more.',
  access: workspaceMember({ scope: 'workspace:read' }),
  response: { status: 200, schema: OverviewResponse },
  handler: async ({ context }) => {
    const { hold, ...counts } = await getOverview(context);
    return { ...counts, hold: presentHold(hold, context.actor) };
  },
});

export const overviewRoutes = [get];
