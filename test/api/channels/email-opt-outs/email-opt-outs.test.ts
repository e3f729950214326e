import { beforeEach, describe, expect, it } from 'vitest';
import {
  type EmailOptOutSource,
  hideEmailOptOuts,
  insertEmailOptOut,
} from '../../../../db/channels/email-opt-outs.js';
import { liftEmailOptOuts } from '../../../../domain/channels/email/opt-outs.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { days } from '../../../support/lib/moved-clock.js';
import { actorOf, addMember, type TestMember } from '../../../support/workspace/factories.js';
import { proveEmail } from '../../../support/workspace/prove-email.js';

const { workspace, otherWorkspace, api, asAdmin } = useApi();

let member: TestMember;
let email: string;
let path: string;
beforeEach(async () => {
  member = await addMember(workspace, { role: workspace.roles.member });
  email = member.row.email ?? '';
  path = `/members/${member.memberId}/email-opt-outs`;
});

describeAccess({ api, workspace, otherWorkspace }, ['the list', 'lifting'], () => [
  { method: 'GET', path, scope: 'members:read', needsPermission: true, namesItem: true },
  { method: 'DELETE', path, scope: 'members:write', needsPermission: true, served: 204, namesItem: true },
]);

const optOut = (source: EmailOptOutSource, optedOutAt = new Date()) =>
  workspace.within((tx) => insertEmailOptOut(tx, { recipient: email, optedOutAt, source }));
const asMember = (method: string, of = path) =>
  api.request(method, workspace.path(of), { apiKey: member.apiKey });
const sources = async () =>
  (await asAdmin('GET', path)).body.items.map(({ source }: { source: string }) => source);

describe('opt-outs of email', () => {
  it('are listed as they are in force, also as digests', async () => {
    expect(await sources()).toEqual([]);
    const at = new Date('2026-11-02T09:00:00Z');
    await optOut('link', at);
    await workspace.within((tx) => hideEmailOptOuts(tx, email));
    await optOut('link');
    await optOut('bounce', new Date(Date.now() - days(31)));
    expect((await asMember('GET')).body).toEqual({
      items: [{ source: 'link', optedOutAt: expect.stringMatching(/^\d{4}-/) }],
    });
    expect((await asMember('GET')).body.items[0].optedOutAt).not.toBe(at.toISOString());
  });

  it.each(['link', 'complaint', 'bounce'] as const)('by a %s are lifted by the member', async (source) => {
    ({ email } = await proveEmail(workspace, member.memberId));
    await optOut(source);
    const actor = actorOf(workspace, { member, kind: 'session' });
    const context = { ...workspace.context(member), actor };
    for (let count = 0; count < 2; count += 1) {
      await liftEmailOptOuts(context, member.memberId);
      expect(await sources()).toEqual([]);
    }
  });

  it.each(['link', 'complaint'] as const)('by a %s are lifted by no token or key', async (source) => {
    ({ email } = await proveEmail(workspace, member.memberId));
    await optOut(source);
    expect(await asMember('DELETE')).toMatchObject({ status: 409, body: { code: 'opted_out' } });
    // The session of a member token, which others have made.
    const actor = actorOf(workspace, { member: { ...member, accountId: null }, kind: 'session' });
    const byToken = liftEmailOptOuts({ ...workspace.context(member), actor }, member.memberId);
    await expect(byToken).rejects.toMatchObject({ code: 'opted_out' });
    expect(await sources()).toEqual([source]);
  });

  it.each(['link', 'complaint'] as const)('by a %s are lifted by nobody else', async (source) => {
    await optOut(source);
    expect(await asAdmin('DELETE', path)).toMatchObject({ status: 409, body: { code: 'opted_out' } });
    expect(await sources()).toEqual([source]);
  });

  it.each(['link', 'complaint'] as const)('beside a %s: the mailbox exists', async (source) => {
    await optOut(source);
    await optOut('bounce');
    expect((await asAdmin('DELETE', path)).status).toBe(204);
    expect(await sources()).toEqual([source]);
    expect(await asAdmin('DELETE', path)).toMatchObject({ status: 409, body: { code: 'opted_out' } });
  });

  it('by a link are not lifted by a member whose account has not proved the address', async () => {
    await optOut('link');
    expect(await asMember('DELETE')).toMatchObject({ status: 409, body: { code: 'opted_out' } });
    expect(await sources()).toEqual(['link']);
  });

  it('because the mailbox did not exist are lifted by a colleague', async () => {
    await optOut('bounce');
    expect((await asAdmin('DELETE', path)).status).toBe(204);
    expect(await sources()).toEqual([]);
  });

  it('of a member that does not exist are not found, and of one without an address are none', async () => {
    expect((await asAdmin('GET', '/members/999999999/email-opt-outs')).status).toBe(404);
    expect((await asAdmin('DELETE', '/members/999999999/email-opt-outs')).status).toBe(404);
    const phoneOnly = await addMember(workspace, { role: workspace.roles.member, values: { email: null } });
    const without = `/members/${phoneOnly.memberId}/email-opt-outs`;
    expect((await asAdmin('GET', without)).body).toEqual({ items: [] });
    expect((await asAdmin('DELETE', without)).status).toBe(204);
  });
});
