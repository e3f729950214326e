import { beforeEach, describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();

let patient: TestMember;
let colleague: TestMember;
let chatId: number;
beforeEach(async () => {
  patient = await addMember(workspace);
  colleague = await addMember(workspace, { permissions: ['chats:read', 'chats:write'] });
  const assistant = await createAssistant(workspace.context(), { name: 'A', instructions: 'Be brief.' });
  const body = { channel: 'web-chat', assistantMemberId: assistant.memberId };
  chatId = (await as(patient)('POST', '/chats', body)).body.id;
});

const acts = async (query = '') => (await as(colleague)('GET', `/chats/${chatId}/acts${query}`)).body;
const kinds = async () => (await acts()).items.map(({ kind }: { kind: string }) => kind);
const change = (body: object, who = colleague) => as(who)('PUT', `/chats/${chatId}`, body);

describe('what was done in a chat', () => {
  it('lists claims, pauses and messages with who did it, the newest first', async () => {
    await as(colleague)('POST', `/chats/${chatId}/claim`, {});
    await asAdmin('POST', `/chats/${chatId}/send-assistant-message`, { message: 'Hello, this is the desk.' });
    await change({ paused: false, note: 'She wants Friday.' });

    const { items } = await acts();

    const byColleague = { memberId: colleague.memberId };
    const byAdmin = { memberId: workspace.admin.memberId };
    expect(items).toMatchObject([
      { kind: 'note', ...byColleague, messageId: expect.any(String) },
      { kind: 'resumed', ...byColleague },
      { kind: 'paused', reason: 'operator', ...byAdmin },
      { kind: 'message', ...byAdmin, messageId: expect.any(String) },
      { kind: 'claimed', ...byColleague, until: expect.any(String) },
      { kind: 'paused', reason: 'operator', ...byColleague },
    ]);
    expect(items[0].memberName).toBe(colleague.row.name);
    expect(JSON.stringify(items)).not.toContain('Friday');
  });

  it('lists muting, archiving, labels and the agent, each once', async () => {
    const label = (await asAdmin('POST', '/chat-labels', { name: 'Urgent', color: '#ff0000' })).body;
    await change({ muted: true, labelIds: [label.id] });
    await change({ muted: true, labelIds: [label.id] });
    await change({ muted: false, labelIds: [], archived: true, assistantEnabled: false });

    expect((await kinds()).sort()).toEqual(
      ['agent_disabled', 'archived', 'labelled', 'muted', 'unlabelled', 'unmuted'].sort(),
    );
    expect((await acts()).items.find(({ kind }: { kind: string }) => kind === 'labelled')).toMatchObject({
      labelId: label.id,
    });
  });

  it('leaves out what the member and the agent do', async () => {
    await as(patient)('POST', `/chats/${chatId}/messages`, { content: 'Hello?' });

    expect(await kinds()).toEqual([]);
  });

  it('goes on page by page, without a gap or a repetition', async () => {
    for (const muted of [true, false, true, false, true]) await change({ muted });
    const all = (await acts()).items;
    const pages = [];
    let next = '';
    do {
      const page = await acts(`?limit=2${next}`);
      expect(page.detail).toBeUndefined();
      pages.push(...page.items);
      next = page.next === undefined ? '' : `&before=${page.next}`;
    } while (next !== '');

    expect(all).toHaveLength(5);
    expect(pages).toEqual(all);
  });

  it('refuses a place that no page has named', async () => {
    expect(pointersOf(await acts('?before=yesterday'))).toEqual(['/before']);
  });
});

describeAccess({ api, workspace, otherWorkspace }, ['the acts in a chat'], () => [
  {
    method: 'GET',
    path: `/chats/${chatId}/acts`,
    scope: 'chats:read',
    needsPermission: true,
    namesItem: true,
  },
]);
