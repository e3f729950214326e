import { beforeEach, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addRecords } from '../../../support/records/add-records.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { conversationTasks, publishDefinition } from '../../../support/workspace/definitions.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();
let patient: TestMember;
beforeEach(async () => {
  patient = await addMember(workspace);
});

const timeline = async (query = '', who: TestMember = workspace.admin) =>
  (await as(who)('GET', `/members/${patient.memberId}/timeline${query}`)).body;
interface Entry {
  source: string;
  kind: string;
}
const told = ({ items }: { items: Entry[] }) => items.map(({ source, kind }) => `${source} ${kind}`);

/** A chat with an assignment, which a colleague mutes and in which it writes, and an opt-out that is taken back. */
async function live(): Promise<{ chatId: number; assignmentId: number }> {
  const { workflowId } = await publishDefinition(workspace, conversationTasks());
  const body = { channel: 'web-chat', memberId: patient.memberId, workflowId };
  const { body: chat } = await asAdmin('POST', '/chats', body);
  await asAdmin('PUT', `/chats/${chat.id}`, { muted: true });
  await asAdmin('POST', `/chats/${chat.id}/send-assistant-message`, { message: 'Hello, this is the desk.' });
  await asAdmin('POST', `/assignments/${chat.assignmentId}/cancel`, {});
  await asAdmin('PUT', `/members/${patient.memberId}/sms-opt-outs`);
  return { chatId: chat.id, assignmentId: chat.assignmentId };
}

describe('the timeline of a member', () => {
  it('is one order over chats, colleagues, assignments and consents, the newest first', async () => {
    const { chatId, assignmentId } = await live();

    const found = await timeline();

    expect(told(found)).toContain('consent opted_out');
    expect(told(found).slice(-2).sort()).toEqual(['assignment begun', 'chat begun']);
    const actorMemberId = workspace.admin.memberId;
    expect(found.items).toContainEqual(
      expect.objectContaining({ source: 'act', kind: 'muted', chatId, actorMemberId }),
    );
    expect(found.items).toContainEqual(
      expect.objectContaining({ source: 'act', kind: 'message', chatId, actorMemberId }),
    );
    expect(found.items).toContainEqual(expect.objectContaining({ kind: 'begun', assignmentId }));
    const times = found.items.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(found.leftOut).toEqual([]);
    expect(JSON.stringify(found)).not.toContain('the desk');
  });

  it('has the changes of records, for those who read their data type', async () => {
    const type = await addRecordType(workspace, true);
    const reader = await addMember(workspace, { permissions: ['members:read'] });
    await addRecords(workspace, type.id, [{ memberId: patient.memberId, fieldValues: { reason: 'Pain' } }]);

    const found = await timeline('?source=record');

    expect(found.items).toMatchObject([{ source: 'record', kind: 'created', dataTypeSlug: type.slug }]);
    expect(await timeline('?source=record', reader)).toEqual({ items: [], leftOut: ['record'] });
  });

  it('leaves out what the reader may not read, and says so', async () => {
    await live();
    const reader = await addMember(workspace, { permissions: ['members:read', 'assignments:read'] });

    const { items, leftOut } = await timeline('', reader);

    expect(new Set(items.map(({ source }: Entry) => source))).toEqual(new Set(['assignment', 'consent']));
    expect(leftOut).toEqual(['chat', 'act', 'call', 'email', 'record']);
  });

  it('goes on page by page, without a gap or a repetition', async () => {
    await live();
    const all = await timeline();
    const pages: Entry[] = [];
    let next = '';
    do {
      const page = await timeline(`?limit=2${next}`);
      pages.push(...page.items);
      next = page.next === undefined ? '' : `&before=${page.next}`;
    } while (next !== '');

    expect(all.items.length).toBeGreaterThan(4);
    expect(pages).toEqual(all.items);
  });

  it('refuses a place that no page has named', async () => {
    expect(pointersOf(await timeline('?before=yesterday'))).toEqual(['/before']);
  });
});

describeAccess({ api, workspace, otherWorkspace }, ['the timeline of a member'], () => [
  {
    method: 'GET',
    path: `/members/${patient.memberId}/timeline`,
    scope: 'members:read',
    needsPermission: true,
    namesItem: true,
  },
]);
