import { describe, expect, it } from 'vitest';
import { type Channel, insertChat } from '../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { MessageRow } from '../../../../db/conversations/models/message.js';
import { MessageModel } from '../../../../db/conversations/models/message.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace } = useApi({
  clock: new MovedClock(new Date('2030-03-10T23:30:00Z')),
});

const asks = { role: 'user', author: 'member' } as const;
const agent = { role: 'assistant', author: 'agent' } as const;
const person = { role: 'assistant', author: 'person' } as const;
type Said = readonly [who: Partial<MessageRow>, at: string];

/** A chat in which this was written, in the days and minutes of March. */
const chat = (
  place: TestWorkspace,
  said: readonly Said[],
  more: { channel?: Channel; isTest?: boolean } = {},
) =>
  place.database.inWorkspace(place.workspaceId, async (tx) => {
    const { memberId } = place.member;
    const { id } = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId, ...more });
    for (const [who, at] of said) {
      const { role = 'user', author, ...of } = who;
      const stored = await insertMessage(tx, {
        chatId: id,
        role,
        author: author ?? 'system',
        content: 'Text',
        ...of,
      });
      await MessageModel.patch(tx, stored.id, { createdAt: new Date(`2030-03-${at}:00Z`) });
    }
  });
const read = async (place: TestWorkspace, query: string, path = '/chats/stats/daily-answers') =>
  (await callAs(api, place, place.admin)('GET', `${path}?${query}`)).body;
const none = { waits: 0, answered: 0, median: null, p90: null, longest: null };

describe('the daily answers', () => {
  it('tell how long members waited, by the day on which they began to', async () => {
    const place = await createWorkspace(workspace.database);
    await chat(place, [
      [asks, '08T10:00'],
      [asks, '08T10:02'],
      [agent, '08T10:03'],
      [agent, '08T10:04'],
      [asks, '08T23:50'],
      [person, '09T00:10'],
    ]);
    await chat(place, [[asks, '09T12:00']]);

    const { timezone, waits, answers, days } = await read(place, 'from=2030-03-08&to=2030-03-10');

    expect(timezone).toBe('UTC');
    expect(waits).toEqual({ waits: 3, answered: 2, median: 180, p90: 1200, longest: 1200 });
    expect(answers).toEqual({ agent: 2, person: 1 });
    expect(days).toEqual([
      {
        date: '2030-03-08',
        answers: { agent: 2, person: 0 },
        waits: { waits: 2, answered: 2, median: 180, p90: 1200, longest: 1200 },
      },
      { date: '2030-03-09', answers: { agent: 0, person: 1 }, waits: { ...none, waits: 1 } },
      { date: '2030-03-10', answers: { agent: 0, person: 0 }, waits: none },
    ]);
  });

  it('look beyond the days for how a wait began, and how it ended', async () => {
    const place = await createWorkspace(workspace.database);
    await chat(place, [
      [asks, '07T23:00'],
      [asks, '08T01:00'],
      [agent, '08T02:00'],
      [asks, '08T23:00'],
      [agent, '09T01:00'],
    ]);
    const { waits } = await read(place, 'from=2030-03-08&to=2030-03-08');
    expect(waits).toMatchObject({ waits: 1, answered: 1, longest: 7_200 });
  });

  it('count what is written, and what answers it', async () => {
    const place = await createWorkspace(workspace.database);
    await chat(place, [
      [{ ...asks, smsKeyword: 'help' }, '08T09:00'],
      [asks, '08T10:00'],
      [{ ...agent, author: 'workflow' }, '08T10:01'],
      [{ role: 'system', author: 'person' }, '08T10:02'],
      [{ ...agent, content: null, toolCalls: [] }, '08T10:03'],
      [{ ...agent, subConversationOf: 'call_1' }, '08T10:04'],
      [person, '08T10:05'],
      // A colleague may write first: nobody waited.
      [person, '08T10:06'],
    ]);
    const { waits, answers } = await read(place, 'from=2030-03-08&to=2030-03-08');
    expect(waits).toEqual({ waits: 1, answered: 1, median: 300, p90: 300, longest: 300 });
    expect(answers).toEqual({ agent: 0, person: 2 });
  });

  it('have the days of a time zone, and the chats that are asked for', async () => {
    const place = await createWorkspace(workspace.database, { timezone: 'America/Chicago' });
    await chat(place, [
      [asks, '09T05:00'],
      [agent, '09T05:01'],
    ]);
    await chat(
      place,
      [
        [asks, '09T12:00'],
        [agent, '09T12:10'],
      ],
      { channel: 'phone-sms', isTest: true },
    );
    const longest = async (query: string) => {
      const { days } = await read(place, `from=2030-03-08&to=2030-03-09&${query}`);
      return days.map(({ waits }: { waits: { longest: number } }) => waits.longest);
    };

    expect(await longest('')).toEqual([60, 600]);
    expect(await longest('timezone=UTC')).toEqual([null, 600]);
    expect(await longest('isTest=false')).toEqual([60, null]);
    expect(await longest('channel=phone-sms')).toEqual([null, 600]);
  });
});

it('counts the messages that did not arrive by reason', async () => {
  const place = await createWorkspace(workspace.database);
  const failed = (reason: string | null): Partial<MessageRow> => ({
    ...agent,
    smsDeliveryStatus: 'failed',
    smsDeliveryFailureReason: reason,
  });
  await chat(place, [
    [failed('unreachable'), '07T10:00'],
    [failed('blocked'), '08T10:00'],
    [failed('unreachable'), '08T10:00'],
    [failed('unreachable'), '09T10:00'],
    [failed(null), '09T10:01'],
    [agent, '09T10:02'],
  ]);

  expect(await read(place, 'from=2030-03-08&to=2030-03-09', '/messages/stats/failures')).toEqual({
    timezone: 'UTC',
    createdFrom: '2030-03-08T00:00:00.000Z',
    createdBefore: '2030-03-10T00:00:00.000Z',
    total: 4,
    reasons: [
      { reason: 'unreachable', count: 2 },
      { reason: 'blocked', count: 1 },
      { reason: null, count: 1 },
    ],
  });
  expect(await read(place, 'from=2029-03-09', '/messages/stats/failures')).toMatchObject({ status: 400 });
  const { items } = await read(place, 'deliveryStatus=failed&failureReason=unreachable', '/messages');
  expect(items).toHaveLength(3);
});

it.each(['/chats/stats/daily-answers', '/messages/stats/failures', '/assignments/stats/outcomes'])(
  '%s refuses more than 92 days',
  async (path) => {
    const body = await read(workspace, 'from=2030-01-01&to=2030-04-03', path);
    expect([body.status, pointersOf(body)]).toEqual([400, ['/to']]);
  },
);

const names = ['the daily answers', 'the counts of failures', 'the outcomes of assignments'];
describeAccess({ api, workspace, otherWorkspace }, names, () => {
  const read = { method: 'GET', needsPermission: true, namesItem: false } as const;
  return [
    { ...read, path: '/chats/stats/daily-answers', scope: 'chats:read' },
    { ...read, path: '/messages/stats/failures', scope: 'chats:read' },
    { ...read, path: '/assignments/stats/outcomes', scope: 'assignments:read' },
  ];
});
