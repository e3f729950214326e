import { beforeAll, expect, it } from 'vitest';
import { insertChat } from '../../../../db/conversations/chats.js';
import { alertColleague, type NeedsResponseReason } from '../../../../domain/kernel/alert-colleague.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { hours, MovedClock } from '../../../support/lib/moved-clock.js';

const clock = new MovedClock();
const { api, workspace, otherWorkspace, asAdmin } = useApi({ clock });

/** A chat that has waited for so many hours. */
async function wait(reason: NeedsResponseReason, ago: number, more: object = {}) {
  const needsResponseSince = new Date(clock.now().getTime() - hours(ago));
  const { memberId } = workspace.member;
  await workspace.within(async (tx) => {
    const chat = await insertChat(tx, {
      channel: 'web-chat',
      chatType: 'support',
      memberId,
      assistantEnabled: false,
      ...more,
    } as never);
    await alertColleague(tx, chat, reason);
    await tx('chats').where({ id: chat.id }).update({ needs_response_since: needsResponseSince });
  });
}

beforeAll(async () => {
  await wait('handoff', 0.5);
  await wait('handoff', 30);
  await wait('no_agent', 2);
  await wait('no_agent', 200, { channel: 'email' });
  await wait('handoff', 3, {
    claimedByMemberId: workspace.admin.memberId,
    claimedUntil: new Date(Date.now() + hours(1)),
  });
  await wait('handoff', 3, { archived: true });
  await wait('handoff', 3, { muted: true });
});

const counts = async (query = '') => (await asAdmin('GET', `/chats/needs-response/counts${query}`)).body;
const since = (ago: number) => new Date(clock.now().getTime() - hours(ago)).toISOString();

it('counts the open chats of the queue by reason in words, channel and age', async () => {
  expect(await counts()).toEqual({
    total: 4,
    byReason: [
      { reason: 'handoff', text: 'the agent or a task handed the chat over', count: 2, oldest: since(30) },
      { reason: 'no_agent', text: expect.stringContaining('no agent'), count: 2, oldest: since(200) },
    ],
    byChannel: [
      { channel: 'web-chat', count: 3, oldest: since(30) },
      { channel: 'email', count: 1, oldest: since(200) },
    ],
    byAge: { hour: 1, day: 1, week: 1, older: 1 },
  });
});

it('counts those in another state, and nothing of another workspace', async () => {
  expect(await counts('?state=mine')).toMatchObject({ total: 1, byAge: { day: 1 } });
  expect(await counts('?state=all')).toMatchObject({ total: 5 });
  expect(await counts('?state=snoozed')).toMatchObject({ total: 0, byReason: [], byChannel: [] });
  const path = otherWorkspace.path('/chats/needs-response/counts');
  const { body } = await api.request('GET', path, { apiKey: otherWorkspace.admin.apiKey });
  expect(body).toMatchObject({ total: 0 });
});

describeAccess({ api, workspace, otherWorkspace }, ['the counts of the queue'], () => [
  {
    method: 'GET',
    path: '/chats/needs-response/counts',
    scope: 'chats:read',
    needsPermission: true,
    namesItem: false,
  },
]);
