import { describe, expect, it } from 'vitest';
import { type Channel, insertChat, patchChat } from '../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { addDays } from '../../../../domain/lib/local-time.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import {
  createWorkspace,
  type TestMember,
  type TestWorkspace,
} from '../../../support/workspace/factories.js';

const clock = new MovedClock(new Date('2030-03-10T23:30:00Z'));

const { api, workspace } = useApi({ clock });

const add = (
  place: TestWorkspace,
  createdAt: string,
  more: { memberId?: number; isTest?: boolean; channel?: Channel } = {},
) =>
  place.database.inWorkspace(place.workspaceId, async (tx) => {
    const { memberId } = place.member;
    const { id } = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId, ...more });
    return patchChat(tx, id, { createdAt: new Date(createdAt) });
  });
const daily = async (place: TestWorkspace, query: string, who: TestMember = place.admin) =>
  callAs(api, place, who)('GET', `/chats/stats/daily-creation?${query}`);

interface Day {
  date: string;
  count: number;
}

describe('the daily chat statistics', () => {
  it('count by the workspace’s time zone and include days without chats', async () => {
    const place = await createWorkspace(workspace.database, { timezone: 'America/Chicago' });
    // Clocks go forward on the tenth: 05:59Z is the evening before, 04:59Z of the eleventh is still the tenth.
    const times = ['09T05:59:00', '09T06:00:00', '10T07:00:00', '11T04:59:59', '11T05:00:00'];
    for (const time of times) await add(place, `2030-03-${time}Z`);

    const { body } = await daily(place, 'from=2030-03-07&to=2030-03-10');

    expect(body).toMatchObject({ timezone: 'America/Chicago', total: 4 });
    expect(body.days.map(({ date, count }: Day) => [date, count])).toEqual([
      ['2030-03-07', 0],
      ['2030-03-08', 1],
      ['2030-03-09', 1],
      ['2030-03-10', 2],
    ]);
  });

  it('count by channel, for each day and in all', async () => {
    const place = await createWorkspace(workspace.database);
    for (const channel of ['web-chat', 'phone-sms', 'phone-sms', 'email'] as const) {
      await add(place, '2030-03-09T12:00:00Z', { channel });
    }
    await add(place, '2030-03-10T12:00:00Z', { channel: 'phone-sms' });

    const { body } = await daily(place, 'from=2030-03-09&to=2030-03-10');

    const none = { 'web-chat': 0, 'phone-sms': 0, 'phone-voice': 0, email: 0 };
    expect(body).toEqual({
      timezone: 'UTC',
      total: 5,
      byChannel: { ...none, 'web-chat': 1, 'phone-sms': 3, email: 1 },
      days: [
        { date: '2030-03-09', count: 4, byChannel: { ...none, 'web-chat': 1, 'phone-sms': 2, email: 1 } },
        { date: '2030-03-10', count: 1, byChannel: { ...none, 'phone-sms': 1 } },
      ],
    });
    const texts = (await daily(place, 'from=2030-03-09&to=2030-03-10&channel=phone-sms')).body;
    expect(texts).toMatchObject({ total: 3, byChannel: { ...none, 'phone-sms': 3 } });
  });

  it('count by another time zone, where the caller names one', async () => {
    const place = await createWorkspace(workspace.database, { timezone: 'America/Chicago' });
    await add(place, '2030-03-09T05:59:00Z');
    const counts = async (query: string) => {
      const { body } = await daily(place, `from=2030-03-08&to=2030-03-09&${query}`);
      return [body.timezone, ...body.days.map(({ count }: Day) => count)];
    };

    expect(await counts('')).toEqual(['America/Chicago', 1, 0]);
    expect(await counts('timezone=Asia/Tokyo')).toEqual(['Asia/Tokyo', 0, 1]);
    expect(await counts('timezone=UTC')).toEqual(['UTC', 0, 1]);
  });

  it('count by each name of a time zone that browsers report, whichever PostgreSQL has', async () => {
    const place = await createWorkspace(workspace.database);
    await add(place, '2030-03-09T20:00:00Z');
    const counts = async (timezone: string) =>
      (
        await daily(place, `from=2030-03-09&to=2030-03-10&timezone=${encodeURIComponent(timezone)}`)
      ).body.days.map(({ count }: Day) => count);
    const later = ['Asia/Calcutta', 'Asia/Kolkata', 'Asia/Saigon', 'Asia/Katmandu', 'Australia/ACT', 'Japan'];
    for (const zone of later) expect(await counts(zone), zone).toEqual([0, 1]);
    const earlier = ['US/Pacific', 'Europe/Kiev', 'America/Buenos_Aires', 'Etc/GMT+5', 'CET', 'gmt'];
    for (const zone of earlier) expect(await counts(zone), zone).toEqual([1, 0]);
  });

  it.each([
    ['a name of ICU that was accepted once', 'ECT', [0, 1]],
    ['a name that this version does not have', 'Mars/Olympus', [1, 0]],
  ])('count in a workspace that has stored %s', async (_what, timezone, counts) => {
    const place = await createWorkspace(workspace.database, { timezone });
    await add(place, '2030-03-09T23:30:00Z');
    const { status, body } = await daily(place, 'from=2030-03-09&to=2030-03-10');
    expect([status, body.days?.map(({ count }: Day) => count)]).toEqual([200, counts]);
    for (const path of ['/usage', '/credit-budget'])
      expect((await callAs(api, place, place.admin)('GET', path)).status, path).toBeLessThan(500);
  });

  it('count the day that a country skipped as a day without chats', async () => {
    const place = await createWorkspace(workspace.database, { timezone: 'Pacific/Apia' });
    await add(place, '2011-12-30T09:59:59Z');
    await add(place, '2011-12-30T10:00:00Z');
    const { body } = await daily(place, 'from=2011-12-29&to=2011-12-31');
    expect(body.days.map(({ count }: Day) => count)).toEqual([1, 0, 1]);
  });

  it.each([
    // In Paris clocks go forward on 31 March 2030 at 01:00Z and back on 27 October 2030 at 01:00Z.
    ['23', '2030-03-31', '2030-03-30T23:00:00Z', '2030-03-31T21:59:59.999Z'],
    ['25', '2030-10-27', '2030-10-26T22:00:00Z', '2030-10-27T22:59:59.999Z'],
  ])('count a day of %s hours from its first to its last moment', async (_hours, day, first, last) => {
    const place = await createWorkspace(workspace.database, { timezone: 'Europe/Paris' });
    const before = new Date(Date.parse(first) - 1).toISOString();
    const after = new Date(Date.parse(last) + 1).toISOString();
    for (const time of [before, first, last, after]) await add(place, time);

    const around = `from=${addDays(day, -1)}&to=${addDays(day, 1)}`;
    expect((await daily(place, around)).body.days.map(({ count }: Day) => count)).toEqual([1, 2, 1]);
    expect((await daily(place, `from=${day}&to=${day}`)).body.total).toBe(2);
  });

  it('default to the last 30 days up to today', async () => {
    const place = await createWorkspace(workspace.database, { timezone: 'Asia/Tokyo' });
    await add(place, '2030-03-10T15:00:00Z');

    const { days } = (await daily(place, '')).body;

    expect(days).toHaveLength(30);
    expect([days[0], days.at(-1)]).toMatchObject([
      { date: '2030-02-10', count: 0 },
      { date: '2030-03-11', count: 1 },
    ]);
    const dates = async (query: string) =>
      (await daily(place, query)).body.days.map(({ date }: { date: string }) => date);
    expect(await dates('from=2030-03-10')).toEqual(['2030-03-10', '2030-03-11']);
    expect(await dates('from=2031-01-01')).toEqual(['2031-01-01']);
    expect((await dates('to=2030-01-31'))[0]).toBe('2030-01-02');
  });

  it('count the caller’s own chats without the permission, and respect filters', async () => {
    const place = await createWorkspace(workspace.database);
    await add(place, '2030-03-10T12:00:00Z');
    await add(place, '2030-03-10T12:00:00Z', { memberId: place.admin.memberId, isTest: true });
    const total = async (query: string, who?: TestMember) => (await daily(place, query, who)).body.total;

    expect(await total('')).toBe(2);
    expect(await total('', place.member)).toBe(1);
    expect(await total('isTest=false')).toBe(1);
    expect(await total('channel=email')).toBe(0);
  });

  it.each(['from=9999-12-31', 'from=1970-01-01&to=1970-01-01', 'to=9999-12-31'])(
    'accept the extreme dates: %s',
    async (query) => {
      expect((await daily(workspace, query)).body).toMatchObject({ total: 0 });
    },
  );

  it.each([
    ['a range turned round', 'from=2030-03-02&to=2030-03-01', '/to'],
    ['more than a year', 'from=2029-01-01&to=2030-01-02', '/to'],
    ['a day that does not exist', 'from=2030-02-30', '/from'],
    ['no day', 'to=yesterday', '/to'],
    ['days before there were any', 'from=1969-12-01&to=1969-12-31', '/to'],
    ['a time zone that does not exist', 'timezone=Mars/Olympus', '/timezone'],
    ['a name that Node.js and PostgreSQL read differently', 'timezone=BST', '/timezone'],
    ['a name of ICU', 'timezone=ECT', '/timezone'],
    ['an offset as a time zone', 'timezone=%2B02:00', '/timezone'],
    ['no time zone', 'timezone=', '/timezone'],
  ])('refuse %s', async (_what, query, pointer) => {
    const { status, body } = await daily(workspace, query);
    expect([status, pointersOf(body)]).toEqual([400, [pointer]]);
  });
});

it('lists each called tool once, and of other members’ chats only with the permission', async () => {
  const place = await createWorkspace(workspace.database);
  const stranger = await createWorkspace(workspace.database);
  const call = (home: TestWorkspace, memberId: number, ...names: string[]) =>
    home.database.inWorkspace(home.workspaceId, async (tx) => {
      const { id } = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId });
      const toolCalls = names.map((name, index) => ({
        id: `call_${id}_${index}`,
        type: 'function' as const,
        function: { name, arguments: '{}' },
      }));
      await insertMessage(tx, { chatId: id, role: 'assistant', author: 'agent', content: null, toolCalls });
      await insertMessage(tx, { chatId: id, role: 'assistant', author: 'agent', content: 'Done' });
    });
  await call(place, place.member.memberId, 'save_data', 'handoff');
  await call(place, place.member.memberId, 'save_data');
  await call(place, place.admin.memberId, 'send_sms');
  await call(stranger, stranger.member.memberId, 'conclude');
  const names = async (who: TestMember) =>
    (await callAs(api, place, who)('GET', '/chats/tool-call-names')).body;

  expect(await names(place.admin)).toEqual(['handoff', 'save_data', 'send_sms']);
  expect(await names(place.member)).toEqual(['handoff', 'save_data']);
});
