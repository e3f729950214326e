import { getCreditBudget, updateCreditBudget } from '../../../../domain/agent/usage/credit-budget.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { CreditBudgetResponse, UpdateCreditBudgetRequest } from './schemas.js';

const tag = 'Token usage';
const path = '/w/{workspace_uuid}/credit-budget';

const get = defineRoute({
  operationId: 'getCreditBudget',
  method: 'GET',
  path,
  tag,
  summary: 'Get the credit budget of a workspace',
  description: 'The budget of each month, and what the current month has used of it.',
  access: workspaceMember({ scope: 'workspace:read', permission: 'workspace:read' }),
  response: { status: 200, schema: CreditBudgetResponse },
  handler: async ({ context }) => getCreditBudget(context),
});

const update = defineRoute({
  operationId: 'updateCreditBudget',
  audit: ['credit_budget:updated'],
  method: 'PUT',
  path,
  tag,
  summary: 'Change the credit budget of a workspace',
  description:
    'Omitted fields keep their values. When the credits of a month are used up, agents stop and hand their chats over (`needsResponseReason` is `credit_budget`), unless extra usage is enabled; admins are told at 80 % and at 100 %, once a month each. Where the budget is raised, agents that had stopped go on within minutes.',
  access: workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' }),
  body: UpdateCreditBudgetRequest,
  example: { body: { monthlyCredits: 50_000, extraUsageEnabled: false } },
  response: { status: 200, schema: CreditBudgetResponse },
  handler: async ({ context, body }) => updateCreditBudget(context, body),
});

export const creditBudgetRoutes = [get, update];
