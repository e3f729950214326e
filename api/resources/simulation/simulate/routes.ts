import { simulateRevision } from '../../../../domain/simulation/simulate-revision.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { SimulateRevisionRequest, SimulationResponse } from './schemas.js';

const simulate = defineRoute({
  operationId: 'simulateWorkflowRevision',
  method: 'POST',
  path: '/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}/simulate',
  tag: 'Workflow revisions',
  summary: 'Simulate a revision',
  description:
    'Walks an invented member through a draft or a published revision, by a script of what people and the agent do and of the time that passes, with the rules of the service itself. Nothing is stored or sent. A step of the script that cannot be taken is a 400 that names it. A draft has to be publishable. See docs/simulation.md.',
  access: workspaceMember({ scope: 'workflows:read', permission: 'workflows:read' }),
  body: SimulateRevisionRequest,
  example: {
    body: {
      member: { name: 'Robin Sample', locale: 'en-US' },
      script: [
        { agent: { say: 'Will you come?' } },
        { member: 'Yes, I will' },
        { agent: { select: 'Coming' } },
      ],
    },
  },
  response: { status: 200, schema: SimulationResponse },
  idempotent: false,
  errors: {
    409: 'The workspace has used up its tokens for the day.',
    503: 'Too many simulations are in progress, the simulation took too long, or the model does not answer.',
  },
  handler: async ({ context, services, params, body }) => {
    const ids = { workflowId: params.workflow_id, revisionId: params.revision_id };
    return simulateRevision(context, services.simulations, ids, body);
  },
});

export const simulateRoutes = [simulate];
