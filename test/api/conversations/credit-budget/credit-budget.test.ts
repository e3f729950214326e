import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();
const path = '/credit-budget';

describe('GET /credit-budget', () => {
  it('returns no budget for a workspace that has set none, and the current month', async () => {
    const { status, body } = await as(otherWorkspace.admin, otherWorkspace)('GET', path);

    const month = new Date().toISOString().slice(0, 7);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        monthlyCredits: null,
        extraUsageEnabled: false,
        timezone: 'UTC',
        month,
        monthStartsAt: `${month}-01T00:00:00.000Z`,
        monthEndsAt: expect.stringMatching(/-01T00:00:00.000Z$/),
        creditsUsed: 0,
        creditsReserved: 0,
        creditsRemaining: null,
      },
    });
  });
});

describe('PUT /credit-budget', () => {
  it.each([
    [{ monthlyCredits: 0 }, '/monthlyCredits'],
    [{ monthlyCredits: -5 }, '/monthlyCredits'],
    [{ monthlyCredits: 1e12 }, '/monthlyCredits'],
    [{ monthlyCredits: 'many' }, '/monthlyCredits'],
    [{ extraUsageEnabled: 'yes' }, '/extraUsageEnabled'],
    [{ creditsUsed: 0 }, '/creditsUsed'],
  ])('refuses %j and names the field', async (body, pointer) => {
    const answer = await asAdmin('PUT', path, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it('changes what is sent and keeps the rest', async () => {
    const set = await asAdmin('PUT', path, { monthlyCredits: 500.5 });
    expect(set).toMatchObject({
      status: 200,
      body: { monthlyCredits: 500.5, extraUsageEnabled: false, creditsRemaining: 500.5 },
    });
    await asAdmin('PUT', path, { extraUsageEnabled: true });
    const lifted = await asAdmin('PUT', path, { monthlyCredits: null });
    expect(lifted.body).toMatchObject({ monthlyCredits: null, extraUsageEnabled: true });
    expect((await asAdmin('GET', path)).body).toEqual(lifted.body);
  });

  it('keeps the last of many changes at once, whole', async () => {
    const budgets = Array.from({ length: 20 }, (_, index) => ({
      monthlyCredits: index + 1,
      extraUsageEnabled: index % 2 === 0,
    }));
    const answers = await Promise.all(budgets.map((budget) => asAdmin('PUT', path, budget)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { monthlyCredits, extraUsageEnabled } = (await asAdmin('GET', path)).body;
    expect(budgets).toContainEqual({ monthlyCredits, extraUsageEnabled });
  });

  it('is refused to a reader of the workspace', async () => {
    const reader = await addMember(workspace, { permissions: ['workspace:read'] });
    expect((await as(reader)('PUT', path, { monthlyCredits: 1 })).status).toBe(403);
    expect((await as(reader)('GET', path)).status).toBe(200);
  });
});

describeAccess({ api, workspace, otherWorkspace }, ['GET /credit-budget', 'PUT /credit-budget'], () => [
  { method: 'GET', path, scope: 'workspace:read', needsPermission: true, namesItem: false },
  {
    method: 'PUT',
    path,
    scope: 'workspace:write',
    needsPermission: true,
    namesItem: false,
    body: { monthlyCredits: 10 },
  },
]);
