import { beforeEach, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const suite = useApi();
const { workspace, asAdmin } = suite;

let member: TestMember;
let path: string;
beforeEach(async () => {
  member = await addMember(workspace, { role: workspace.roles.member });
  path = `/members/${member.memberId}/opt-outs`;
});

describeAccess(suite, ['the list'], () => [
  { method: 'GET', path, scope: 'members:read', needsPermission: true, namesItem: true },
]);

describe('what a member has opted out of', () => {
  it('is listed with its proof, and with nothing else of its row', async () => {
    expect((await asAdmin('GET', path)).body).toEqual({ items: [] });
    const ofSms = `/members/${member.memberId}/sms-opt-outs`;
    expect((await asAdmin('PUT', ofSms)).status).toBeLessThan(300);

    const proof = {
      channel: 'sms',
      source: 'request',
      heardOn: null,
      words: null,
      byMemberId: workspace.admin.memberId,
      optedOutAt: expect.any(String),
      liftedAt: null,
    };
    expect((await asAdmin('GET', path)).body).toEqual({ items: [proof] });
  });
});
