import { describe, expect, it } from 'vitest';
import { insertParticipants } from '../../../../db/conversations/chat-details.js';
import { type ChatRow, insertChat, type NewChat, patchChat } from '../../../../db/conversations/chats.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../support/workspace/definitions.js';
import { addMember, addMemberRow, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const add = (chat: Partial<NewChat> = {}, changes: Partial<ChatRow> = {}): Promise<ChatRow> =>
  workspace.within(async (tx) => {
    const { memberId } = workspace.member;
    const { id } = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId, ...chat });
    return patchChat(tx, id, changes);
  });
const person = (values: { name?: string; email?: string; phone?: string; externalId?: string }) =>
  addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...values });
/** The ids and the total of a list. */
const list = async (query: string, who: TestMember = workspace.admin, path = '/chats') => {
  const { status, body } = await as(who)('GET', `${path}?pageSize=100&${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  const ids: number[] = body.items.map(({ id }: { id: number }) => id);
  return { ids, total: body.total };
};
const toAnswer = (query: string, who?: TestMember) => list(query, who, '/chats/needs-response');
const found = (...chats: { id: number }[]) => ({ ids: chats.map(({ id }) => id), total: chats.length });

describe('access to lists of chats', () => {
  const names = ['needs-response', 'stats/daily-creation', 'tool-call-names'];
  const read = { method: 'GET', scope: 'chats:read', needsPermission: false, namesItem: false } as const;
  describeAccess({ api, workspace, otherWorkspace }, names, () =>
    names.map((name) => ({ ...read, path: `/chats/${name}` })),
  );
});

describe('the filters of the chat list', () => {
  it('find by workflow, number, type and creation time', async () => {
    const member = await person({});
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const number = await addPhoneNumber(workspace);
    const guided = await add({ memberId: member.id, definitionId: workflowId, chatType: 'workflow' });
    const text = await add({ memberId: member.id, channel: 'phone-sms', phoneNumberId: number.id });
    const ours = `memberId=${member.id}`;

    expect(await list(`${ours}&workflowId=${workflowId}`)).toEqual(found(guided));
    expect(await list(`${ours}&chatType=workflow`)).toEqual(found(guided));
    expect(await list(`${ours}&phoneNumberId=${number.id}`)).toEqual(found(text));
    const between = text.createdAt.toISOString();
    expect((await list(`${ours}&createdBefore=2000-01-01T00:00:00Z`)).total).toBe(0);
    expect((await list(`${ours}&createdBefore=${between}`)).ids).not.toContain(text.id);
    expect((await list(`${ours}&createdFrom=${between}`)).ids).toContain(text.id);
    // RFC 3339 allows offsets that PostgreSQL does not read.
    expect((await list(`${ours}&createdFrom=1166-05-30T19:49:52-21:43`)).ids).toContain(text.id);
  });

  it('accept one or several values each and are combined with AND', async () => {
    const [one, two] = [await person({}), await person({})];
    const text = await add({ memberId: one.id, channel: 'phone-sms' });
    const web = await add({ memberId: one.id });
    const mail = await add({ memberId: two.id, channel: 'email' });
    const ours = `memberId=${one.id}&memberId=${two.id}`;

    expect(await list(ours)).toEqual(found(mail, web, text));
    expect(await list(`memberId=${one.id}`)).toEqual(found(web, text));
    expect(await list(`${ours}&channel=phone-sms`)).toEqual(found(text));
    expect(await list(`${ours}&channel=phone-sms&channel=email`)).toEqual(found(mail, text));
    expect(await list(`memberId=${one.id}&channel=email`)).toEqual(found());
  });

  it.each(['archived', 'muted', 'paused', 'needsResponse', 'isTest'] as const)('find by %s', async (flag) => {
    const { id: memberId } = await person({});
    const without = await add({ memberId });
    const having = await add({ memberId }, { [flag]: true });
    expect(await list(`memberId=${memberId}&${flag}=true`)).toEqual(found(having));
    expect(await list(`memberId=${memberId}&${flag}=false`)).toEqual(found(without));
  });

  it('find by assignment', async () => {
    const { workflowId } = await publishDefinition(workspace, conversationTasks());
    const start = async () => (await asMember('POST', '/chats', { channel: 'web-chat', workflowId })).body;
    const [one, two] = [await start(), await start()];

    expect(await list(`assignmentId=${one.assignmentId}`)).toEqual(found(one));
    const ofBoth = `assignmentId=${one.assignmentId}&assignmentId=${two.assignmentId}`;
    expect(await list(ofBoth)).toEqual(found(two, one));
    expect(await list('assignmentId=987654321')).toEqual(found());
  });

  it('find by label and list each chat once', async () => {
    const label = async (name: string) => (await asAdmin('POST', '/chat-labels', { name })).body.id;
    const [one, two] = [await label('Label one'), await label('Label two')];
    const both = await add();
    const single = await add();
    await asAdmin('PUT', `/chats/${both.id}`, { labelIds: [one, two] });
    await asAdmin('PUT', `/chats/${single.id}`, { labelIds: [two] });

    expect(await list(`labelId=${one}`)).toEqual(found(both));
    expect(await list(`labelId=${one}&labelId=${two}`)).toEqual(found(single, both));
  });

  it.each([
    ['an unknown channel', 'channel=nonsense', '/channel'],
    ['a flag that is none', 'archived=nonsense', '/archived'],
    ['an unknown order', 'sortBy=nonsense', '/sortBy'],
    ['a page size that is none', 'pageSize=nonsense', '/pageSize'],
    ['an id that is none', 'memberId=nonsense', '/memberId'],
    ['a list in one value', 'channel=web-chat,email', '/channel'],
    ['ids in one value', 'memberId=1,2', '/memberId'],
    ['an id in another spelling', 'labelId=0x10', '/labelId'],
    ['nonsense among values', 'channel=email&channel=fax', '/channel/1'],
    ['an id that cannot be', 'assignmentId=0', '/assignmentId'],
    ['misspelt ids among others', 'memberId=1&memberId=1e3', '/memberId/1'],
    ['a flag twice', 'archived=true&archived=false', '/archived'],
    ['nothing to search for', 'search=', '/search'],
    ['too much to search for', `search=${'x'.repeat(201)}`, '/search'],
    ['too many values', Array.from({ length: 51 }, (_, id) => `memberId=${id + 1}`).join('&'), '/memberId'],
  ])('refuse %s', async (_what, query, pointer) => {
    const { status, body } = await asAdmin('GET', `/chats?${query}`);
    expect([status, pointersOf(body)]).toEqual([400, [pointer]]);
  });
});

it('the chat list is sorted and paginated', async () => {
  const { id: memberId } = await person({});
  const [first, second, third] = [await add({ memberId }), await add({ memberId }), await add({ memberId })];

  expect(await list(`memberId=${memberId}`)).toEqual(found(third, second, first));
  const oldestFirst = `memberId=${memberId}&sortBy=createdAt&sortOrder=asc`;
  expect(await list(oldestFirst)).toEqual(found(first, second, third));
  const position = { page: 2, pageSize: 2 };
  const { body } = await asAdmin('GET', '/chats', undefined, { memberId, ...position, sortOrder: 'asc' });
  expect(body).toMatchObject({ items: [{ id: third.id }], total: 3, ...position, totalPages: 2 });
});

describe('searching chats', () => {
  it('finds parts of the title, case-insensitive and literal', async () => {
    const percent = await add({ title: 'Rebate of 50% agreed' });
    const under = await add({ title: 'File my_report' });
    const slash = await add({ title: String.raw`Path c:\report` });
    const search = (text: string) => list(`search=${encodeURIComponent(text)}`);

    for (const text of ['REBATE', '50%']) expect(await search(text)).toEqual(found(percent));
    expect(await search('my_report')).toEqual(found(under));
    expect(await search(String.raw`:\rep`)).toEqual(found(slash));
    for (const text of ['5%agreed', 'my-report', "' or true --"]) expect(await search(text)).toEqual(found());
  });

  it('finds part of the member’s name, email or phone, or the whole external id', async () => {
    const identifiers = { email: 'q.sample@clinic.example', phone: '+13125550199', externalId: 'ext-4711' };
    const member = await person({ name: 'Quentin Sample', ...identifiers });
    const chat = await add({ memberId: member.id });

    for (const part of ['quentin', 'Q.SAMPLE@clinic', '312555019', 'ext-4711']) {
      expect(await list(`search=${encodeURIComponent(part)}`)).toEqual(found(chat));
    }
    expect(await list('search=ext-47')).toEqual(found());
  });

  it('combines with filters', async () => {
    await add({ title: 'Invoice one' });
    const mail = await add({ title: 'Invoice two', channel: 'email' });
    expect(await list('search=invoice&channel=email')).toEqual(found(mail));
  });
});

describe('the chat list without chats:read', () => {
  it('contains and counts only the caller’s own chats for every filter', async () => {
    const plain = await addMember(workspace, { role: workspace.roles.member });
    const own = await add({ memberId: plain.memberId, title: 'Secret garden' });
    const joined = await add({ title: 'Secret joined' });
    await workspace.within((tx) =>
      insertParticipants(tx, joined.id, new Map([[plain.memberId, 'contributor']])),
    );
    const others = await add({ title: 'Secret of others' }, { needsResponse: true });

    expect(await list('', plain)).toEqual(found(joined, own));
    expect(await list('search=secret', plain)).toEqual(found(joined, own));
    expect(await list(`memberId=${workspace.member.memberId}`, plain)).toEqual(found(joined));
    expect(await list('needsResponse=true', plain)).toEqual(found());
    expect(await toAnswer('', plain)).toEqual(found());
    expect((await list('search=secret')).ids).toContain(others.id);
  });

  it('prevents guessing identifiers of others by search', async () => {
    const plain = await addMember(workspace, { role: workspace.roles.member });
    const identifiers = { email: 'hidden@clinic.example', phone: '+13125550188' };
    const member = await person({ name: 'Hidden Person', ...identifiers });
    const chat = await add({ memberId: member.id, createdByMemberId: plain.memberId });
    const own = await add({ memberId: plain.memberId });

    expect(await list('search=hidden@clinic', plain)).toEqual(found());
    expect(await list('search=3125550188', plain)).toEqual(found());
    expect(await list('search=hidden', plain)).toEqual(found(chat));
    expect(await list(`search=${plain.row.email}`, plain)).toEqual(found(own));
  });

  it('requires members:read to search identifiers, even with chats:read', async () => {
    const reader = await addMember(workspace, { permissions: ['chats:read'] });
    const chat = await add({ memberId: (await person({ email: 'veiled@clinic.example' })).id });
    expect(await list('search=veiled@clinic', reader)).toEqual(found());
    expect(await list('search=veiled@clinic')).toEqual(found(chat));
  });
});

describe('GET /chats/needs-response', () => {
  it('lists waiting chats, longest first, without archived and muted ones', async () => {
    const { id: memberId } = await person({});
    const waiting = (lastMessageReceivedAt: Date | null, more: Partial<ChatRow> = {}) =>
      add({ memberId }, { needsResponse: true, lastMessageReceivedAt, ...more });
    const first = await waiting(new Date('2030-01-02T00:00:00Z'));
    const second = await waiting(new Date('2030-01-01T00:00:00Z'), { paused: true });
    const handedOver = await waiting(null);
    await waiting(new Date(), { archived: true });
    await waiting(new Date(), { muted: true });
    await add({ memberId });

    expect(await toAnswer(`memberId=${memberId}`)).toEqual(found(first, second, handedOver));
    expect(await toAnswer(`memberId=${memberId}&paused=true`)).toEqual(found(second));
    const byMessage = `memberId=${memberId}&sortBy=lastMessageReceivedAt`;
    expect(await toAnswer(byMessage)).toEqual(found(second, first, handedOver));
  });

  it('includes a chat again once it is unmuted', async () => {
    const { id: memberId } = await person({});
    const chat = await add({ memberId }, { needsResponse: true });
    const waiting = () => toAnswer(`memberId=${memberId}`);

    await asAdmin('PUT', `/chats/${chat.id}`, { muted: true });
    expect(await waiting()).toEqual(found());
    await asAdmin('PUT', `/chats/${chat.id}`, { muted: false });

    expect(await waiting()).toEqual(found(chat));
  });
});
