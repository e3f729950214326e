import { afterEach, describe, expect, it } from 'vitest';
import { describeAccess } from '../../support/api/access-cases.js';
import { pointersOf } from '../../support/api/call-as.js';
import { useApi } from '../../support/api/use-api.js';
import { directRuns } from '../../support/chats/direct-runs.js';
import { days } from '../../support/lib/moved-clock.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi({ runs: directRuns });

const inDays = (count: number) => new Date(Date.now() + days(count)).toISOString();
const hold = (body: unknown = {}) => asAdmin('POST', '/workspace-hold', body);
const state = async () => (await asAdmin('GET', '/workspace-hold')).body;
const notHeld = { heldAt: null, until: null, reason: null, heldByMemberId: null };

afterEach(() => asAdmin('DELETE', '/workspace-hold'));

describe('holding a workspace', () => {
  it('tells since when, until when, why and by whom, also with the workspace, until it ends', async () => {
    expect(await state()).toEqual(notHeld);
    const until = inDays(1);

    const held = await hold({ reason: 'The price is wrong', until });

    const { memberId: heldByMemberId } = workspace.admin;
    const shown = { heldAt: expect.any(String), until, reason: 'The price is wrong', heldByMemberId };
    expect(held).toMatchObject({ status: 200, body: shown });
    expect(await state()).toEqual(held.body);
    expect((await asAdmin('GET', '')).body.hold).toEqual(held.body);
    expect((await asAdmin('DELETE', '/workspace-hold')).status).toBe(204);
    expect(await state()).toEqual(notHeld);
    expect((await asAdmin('GET', '')).body.hold).toEqual(notHeld);
  });

  it('keeps what is not given, and takes the end back by null', async () => {
    const until = inDays(2);
    const { heldAt } = (await hold({ reason: 'First', until })).body;

    expect((await hold({})).body).toMatchObject({ heldAt, until, reason: 'First' });
    expect((await hold({ reason: 'Second', until: null })).body).toMatchObject({
      heldAt,
      until: null,
      reason: 'Second',
    });
  });

  it('is recorded with its end in the audit log', async () => {
    await hold({ reason: 'Why' });
    await asAdmin('DELETE', '/workspace-hold');
    await asAdmin('DELETE', '/workspace-hold');

    const { body } = await asAdmin('GET', '/audit-events?pageSize=2');
    const { memberId } = workspace.admin;
    expect(body.items).toMatchObject([
      { action: 'workspace:resumed', actorMemberId: memberId },
      { action: 'workspace:held', actorMemberId: memberId },
    ]);
  });

  it('shows members without chats:read that it is held, and not why or by whom', async () => {
    await hold({ reason: 'Why' });

    const { body } = await asMember('GET', '/workspace-hold');
    expect(body).toEqual({ heldAt: expect.any(String), until: null });
    expect((await asMember('GET', '')).body.hold).toEqual(body);
  });

  it.each([
    ['an empty reason', { reason: '' }, '/reason'],
    ['an end in the past', { until: '2020-01-01T00:00:00Z' }, '/until'],
    ['an end in more than a year', { until: inDays(400) }, '/until'],
    ['an end that is no time', { until: 'tomorrow' }, '/until'],
    ['an unknown field', { since: inDays(1) }, '/since'],
  ])('refuses %s', async (_, body, pointer) => {
    const answer = await hold(body);

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual([pointer]);
    expect(await state()).toEqual(notHeld);
  });
});

const path = '/workspace-hold';
const writes = { path, scope: 'workspace:write', needsPermission: true, namesItem: false } as const;
describeAccess(
  { api, workspace, otherWorkspace },
  ['GET /workspace-hold', 'POST /workspace-hold', 'DELETE /workspace-hold'],
  () => [
    { method: 'GET', path, scope: 'workspace:read', needsPermission: false, namesItem: false },
    { method: 'POST', body: {}, ...writes },
    { method: 'DELETE', served: 204, ...writes },
  ],
);
