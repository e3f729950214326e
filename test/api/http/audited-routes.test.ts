import { describe, expect, it } from 'vitest';
import { demo as ids } from '../../../api/http/demo.js';
import type { OpenApiDocument } from '../../../api/http/openapi/document.js';
import { openApiDocument } from '../../../api/http/openapi.js';
import type { Route } from '../../../api/http/route.js';
import { routes } from '../../../api/resources/index.js';
import { exampleRequest, type Known, operationsOf } from '../../interop/examples/example-request.js';
import { useDemoApi } from '../../support/api/use-demo-api.js';
import { directRuns } from '../../support/chats/direct-runs.js';
import { queryOnce } from '../../support/db/connect.js';

const { api, demo } = useDemoApi({ runs: directRuns });

/** Fields that say who may do or read what, or how much may be spent, wherever they stand in a body. */
const powerField =
  /access|permission|scope|role(id)?s?$|ispublic|public$|allowsignup|participants|visib|shared|expos|useadmin|manageworkspace|credits$|extrausage/i;
/** Segments of paths of what gives access to something. */
const powerPath =
  /^(shares?|participants|tokens|api-keys|applications|connected-applications|organization-members|invitations|support-access|sessions|links?|grants)$/;
/** Permissions that govern the workspace, credentials and what people may ask about their data. */
const powerPermissions = [
  'workspace:write',
  'roles:write',
  'keys:write',
  'members:impersonate',
  'person_data:erase',
  'person_data:export',
];
type Schema = Record<string, unknown>;

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  const inner = ['items', 'anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    [(schema as Schema)[keyword] ?? []].flat(),
  );
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...fieldsOf(field)]),
    ...inner.flatMap(fieldsOf),
  ];
}

/** Why a route has to say whether it is recorded; it follows from its definition alone. */
function reasonsToAudit(route: Route): string[] {
  const { response, access, path, method, body } = route;
  const isByPerson = ['member', 'account', 'session', 'optional'].includes(access.kind);
  const reasons: string[] = [];
  if (response.stream !== undefined) reasons.push('its answer has no end');
  if (route.secretAnswer) reasons.push('it makes a credential');
  if (/export|download-all|archive/.test(path) && method === 'GET' && !path.includes('/revisions/')) {
    reasons.push('it is an export');
  }
  if (method === 'GET' || !isByPerson) return reasons;
  if (access.kind === 'session') reasons.push('it is for people who are signed in');
  if (powerPermissions.some((one) => one === access.permission || one === access.scope)) {
    reasons.push(`it needs ${access.permission ?? access.scope}`);
  }
  const segment = path
    .split('/')
    .filter((part) => !part.startsWith('{'))
    .at(-1);
  if (segment !== undefined && powerPath.test(segment)) reasons.push('its path');
  const field = fieldsOf(body).find((name) => powerField.test(name));
  if (field !== undefined) reasons.push(`the field ${field}`);
  return reasons;
}

const owing = routes.filter((route) => reasonsToAudit(route).length > 0);

describe('routes that hand out what has no end, make credentials or change who may do what', () => {
  it('are many', () => {
    expect(owing.length).toBeGreaterThan(70);
  });

  it.each(owing.map((route) => [route.operationId, route] as const))(
    'say what they record: %s',
    (_id, route) => {
      expect(route.audit, reasonsToAudit(route).join(', ')).toBeDefined();
    },
  );
});

/** What examples leave out, or do again that is done already. */
const known: Record<string, Known> = {
  createMember: { body: { memberRoleId: ids.memberRoleId } },
  updateMember: { body: { memberRoleId: ids.memberRoleId } },
  createChat: { body: { participants: [{ memberId: ids.adminMemberId }] } },
  createFolder: { body: { access: 'workspace' } },
  updateFolder: { body: { access: 'workspace' } },
  uploadFile: { body: { access: 'workspace' } },
  updateFile: { body: { access: 'workspace' } },
  updateWorkflow: { body: { roleIds: [] } },
  requestDataExport: { params: { member_id: String(ids.adminMemberId) } },
  disallowMcpTool: { params: { mcp_tool_id: String(ids.mcpToolId) } },
};
/** Their examples need a person who is signed in: test/api/identity has them. */
const ofSessions = [
  'endSession',
  'endOtherSessions',
  'setOrganizationOfWorkspace',
  'removeOrganizationOfWorkspace',
];

/** How often each action is in the logs. */
async function countActions(): Promise<Map<string, number>> {
  const rows = await queryOnce<{ action: string; count: number }>(
    demo.database.superuserUrl,
    `select action, count(*)::int as count from (
       select action from audit_events union all
       select action from identity.audit_events union all
       select action from identity.organization_audit_events) as events group by action`,
  );
  return new Map(rows.map(({ action, count }) => [action, count]));
}

describe('what routes say that they record, on the demo workspace', () => {
  const said = new Map(routes.map(({ operationId, audit, access }) => [operationId, { audit, access }]));
  const ofKeys = operationsOf(openApiDocument(routes) as OpenApiDocument).filter(({ operationId }) => {
    const { audit, access } = said.get(operationId) ?? {};
    return (
      Array.isArray(audit) &&
      !ofSessions.includes(operationId) &&
      ['member', 'account'].includes(access?.kind ?? '')
    );
  });

  it('is in the log once they have succeeded', async () => {
    expect(ofKeys.length).toBeGreaterThan(55);
    const missing: string[] = [];
    for (const operation of ofKeys) {
      const { operationId } = operation;
      const before = await countActions();
      const { path, init } = exampleRequest(operation, known[operationId]);
      const headers = { ...init.headers, Authorization: `Bearer ${demo.seeded.adminApiKey}` };
      const answer = await fetch(`${api.baseUrl}/api/v2${path}`, { ...init, headers });
      const text = await answer.text();
      const after = await countActions();
      const actions = said.get(operationId)?.audit as string[];
      const isRecorded = actions.some((action) => (after.get(action) ?? 0) > (before.get(action) ?? 0));
      if (!isRecorded) missing.push(`${operationId}: ${answer.status} ${text.slice(0, 300)}`);
    }
    expect(missing).toEqual([]);
  });
});
