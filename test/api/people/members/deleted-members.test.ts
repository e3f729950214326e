import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertFollowUp, selectPendingFollowUps } from '../../../../db/conversations/follow-ups.js';
import { markMemberDeleted } from '../../../../db/people/members.js';
import type { Tx } from '../../../../db/tx.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { advanceChat } from '../../../../domain/conversations/chats/advance-chat.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { openBrowser, signInAs } from '../../../support/api/browser.js';
import type { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { stageAssignment } from '../../../support/chats/staged-assignment.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';
import { talk as talking } from '../../../workflows/small-trees.js';

const talk = talking('Hall', 'Welcome.');

const { api, workspace: place, as, asAdmin } = useApi();
let leaver: TestMember;
let asLeaver: ReturnType<typeof callAs>;

beforeAll(async () => {
  await createAssistant(place.context(), { name: 'Guide', instructions: 'Be brief.', isDefault: true });
});
beforeEach(async () => {
  leaver = await addMember(place, { role: place.roles.member });
  asLeaver = as(leaver);
});

const remove = async () => {
  expect((await asAdmin('DELETE', `/members/${leaver.memberId}`)).status).toBe(204);
};
const within = <T>(work: (tx: Tx) => Promise<T>) => place.database.inWorkspace(place.workspaceId, work);
/** Leaves the state of a deletion that runs just before a chat is created and so does not see it. */
const removeUnseen = () => within((tx) => markMemberDeleted(tx, leaver.memberId, new Date()));
/** A chat of the member with an unanswered message. */
const openChat = async (): Promise<{ id: number }> => {
  const chat = await asLeaver('POST', '/chats', { channel: 'web-chat' });
  await asLeaver('POST', `/chats/${chat.body.id}/messages`, { content: 'Hello?' });
  return chat.body;
};
const readChat = async (id: number) => (await asAdmin('GET', `/chats/${id}`)).body;

it('rejects a deleted member’s key, sessions and unused tokens at once', async () => {
  const browser = await signInAs(place.database, leaver.accountId, openBrowser(api));
  const tokens = await Promise.all(
    [1, 2].map(async () => (await asAdmin('POST', `/members/${leaver.memberId}/tokens`, {})).body.token),
  );
  const byToken = openBrowser(api);
  expect((await byToken.request('POST', '/sessions', { body: { memberToken: tokens[0] } })).status).toBe(201);
  const statuses = async () => [
    (await asLeaver('GET', '/members')).status,
    (await browser.request('GET', place.path('/members'))).status,
    (await byToken.request('GET', place.path('/members'))).status,
  ];
  expect(await statuses()).toEqual([200, 200, 200]);

  await remove();

  expect(await statuses()).toEqual([404, 404, 401]);
  expect((await asAdmin('GET', `/members/${leaver.memberId}`)).status).toBe(404);
  const late = openBrowser(api);
  const body = { memberToken: tokens[1] };
  expect((await late.request('POST', '/sessions', { body })).status).toBe(401);
  // The account itself remains usable.
  expect((await browser.request('GET', '/account')).body.loggedIn).toBe(true);
});

it('keeps messages and records of a deleted member readable, with its name', async () => {
  const name = leaver.row.name;
  const type = await createDataType(place.context(), {
    name: 'Moods',
    slug: 'moods',
    isCollection: true,
    fields: [{ slug: 'mood', name: 'Mood', fieldType: 'text' }],
  });
  const chat = await openChat();
  const records = `/data-types/${type.id}/records`;
  const record = (await asLeaver('POST', records, { fieldValues: { mood: 'fine' } })).body;
  const inList = (body: { items: { id: number }[] }, id: number) => body.items.find((item) => item.id === id);

  await remove();

  expect((await readChat(chat.id)).participants).toContainEqual(
    expect.objectContaining({ memberId: leaver.memberId, name }),
  );
  expect(inList((await asAdmin('GET', '/chats')).body, chat.id)).toMatchObject({ id: chat.id });
  expect((await asAdmin('GET', `/chats/${chat.id}/messages`)).body).toMatchObject([
    { content: 'Hello?', memberId: leaver.memberId },
  ]);
  expect((await asAdmin('GET', `${records}/${record.id}`)).body).toMatchObject({ memberName: name });
  expect(inList((await asAdmin('GET', records)).body, record.id)).toMatchObject({ memberName: name });
  const changes = await within(async (tx) =>
    tx('data_record_changes').where({ record_id: record.id }).select('actor_member_id'),
  );
  expect(changes).toEqual([{ actor_member_id: leaver.memberId }]);
});

it('frees email, phone and external id of a deleted member, repeatedly', async () => {
  const { email, phone } = leaver.row;
  await asAdmin('PUT', `/members/${leaver.memberId}`, { externalId: 'patient-1' });
  let memberId = leaver.memberId;
  for (let time = 0; time < 3; time += 1) {
    expect((await asAdmin('DELETE', `/members/${memberId}`)).status).toBe(204);
    const answer = await asAdmin('POST', '/members', { email, phone, externalId: 'patient-1' });
    expect(answer.status).toBe(201);
    memberId = answer.body.id;
  }
});

it('deletes a member once for fifty concurrent requests', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => asAdmin('DELETE', `/members/${leaver.memberId}`)),
  );
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
});

describe('the chats of a deleted member', () => {
  it('are paused permanently, need no response and have no pending follow-ups', async () => {
    const chat = await openChat();
    await within((tx) =>
      insertFollowUp(tx, {
        chatId: chat.id,
        instructions: 'Ask again',
        dueAt: new Date('2030-01-01'),
        scheduledByMemberId: null,
      }),
    );
    await asAdmin('PUT', `/chats/${chat.id}`, { paused: true });
    expect(await readChat(chat.id)).toMatchObject({ needsResponse: true });

    await remove();

    const answer = await readChat(chat.id);
    expect(answer).toMatchObject({ paused: true, pausedReason: 'member_deleted', needsResponse: false });
    expect(await within((tx) => selectPendingFollowUps(tx, chat.id))).toEqual([]);
    for (const change of [{ paused: false }, { assistantEnabled: true, paused: false }]) {
      expect(await asAdmin('PUT', `/chats/${chat.id}`, change)).toMatchObject({
        status: 409,
        body: { code: 'member_deleted' },
      });
    }
    expect((await asAdmin('PUT', `/chats/${chat.id}`, { title: 'Closed', archived: true })).status).toBe(200);
  });

  it('reject messages of a colleague', async () => {
    const staged = await stageAssignment(place, talk, { member: leaver, channel: 'phone-sms' });
    await remove();
    const path = `/chats/${staged.chatId}/send-assistant-message`;
    const answer = await asAdmin('POST', path, { message: 'Too late' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'member_deleted' } });
  });

  it('have their assignment cancelled', async () => {
    const staged = await stageAssignment(place, talk, { member: leaver });
    expect(await staged.advance()).toMatchObject({ kind: 'turn' });

    await remove();

    expect(await staged.assignment()).toMatchObject({
      status: 'cancelled',
      outcome: 'member_deleted',
      concludedAt: expect.any(Date),
    });
    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'cancelled' });
  });

  it('do not affect chats of others in which the member takes part', async () => {
    const staged = await stageAssignment(place, talk);
    const direct = (await asAdmin('POST', '/chats/dm', { memberId: leaver.memberId })).body;
    const before = await readChat(direct.id);
    await remove();
    expect(await staged.assignment()).toMatchObject({ status: 'active' });
    expect(await readChat(direct.id)).toMatchObject({ paused: before.paused, needsResponse: false });
  });

  it('are closed by the next step of their run if the deletion did not see them', async () => {
    const staged = await stageAssignment(place, talk, { member: leaver });
    const chat = await openChat();
    await removeUnseen();

    expect(await staged.advance()).toMatchObject({ kind: 'concluded', status: 'cancelled' });
    expect(await staged.assignment()).toMatchObject({ status: 'cancelled', outcome: 'member_deleted' });
    const ref = { workspaceId: place.workspaceId, chatId: chat.id };
    expect(await advanceChat(place.context(), ref)).toEqual({ kind: 'idle' });
    expect(await readChat(chat.id)).toMatchObject({ paused: true, pausedReason: 'member_deleted' });
  });
});
