import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usageOfCalls } from '../../../db/calls/calls-of-chat.js';
import {
  type CallFilter,
  type CallSort,
  countCallsFrom,
  countCallsTo,
  countClosedCalls,
  countIdentityTries,
  findReturnedCall,
  selectCallsOfChat,
  selectPhoneCalls,
  selectUnsettledCalls,
} from '../../../db/calls/phone-calls.js';
import type { Tx } from '../../../db/tx.js';
import type { PageRequest } from '../../../domain/lib/paging.js';
import { callsTogether, callsUp, type ManyCalls, makeManyCalls } from '../../support/calls/many-calls.js';
import { connect } from '../../support/db/connect.js';
import { explaining } from '../../support/db/explained.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 50_000);
const stage = useWorkspace();
let superuser: pg.Client;
let many: ManyCalls;

beforeAll(async () => {
  superuser = await connect(stage.database.superuserUrl);
  many = await makeManyCalls(superuser, stage.workspace, total);
}, 600_000);
afterAll(() => superuser.end());

async function explain<Result>(read: (tx: Tx) => Promise<Result>) {
  const { workspaceId } = stage.workspace;
  let result: Result | undefined;
  const plans = await explaining(
    stage.database.appUrl,
    workspaceId,
    async (db) => {
      result = await db.readInWorkspace(workspaceId, read);
    },
    /\bphone_calls\b/,
  );
  return { result, plans };
}

interface Shape extends Partial<PageRequest<CallSort>> {
  filter?: () => CallFilter;
  finds: number;
  /** How many rows of tables and indexes are read for the page. */
  most: number;
  /** The planner has to know how many calls have what the filter asks for. */
  needsStatistics?: boolean;
}

/** Those of a page, in the order of an index. */
const aPage = 200;
/** Reads the rows that a filter finds, each from an index and perhaps from the table, twice. */
const together = 4 * callsTogether;
/** The last of them goes on. */
const busy = total / 100 - 1;
const anHour = { createdFrom: '2030-01-01T01:00:00Z', createdBefore: '2030-01-01T02:00:00Z' };

const shapes: [string, Shape][] = [
  ['all, the newest', { finds: total, most: aPage }],
  ['all, the oldest', { sortOrder: 'asc', finds: total, most: aPage }],
  ['all, the last answered', { sortBy: 'startedAt', finds: total, most: aPage }],
  ['all, the last ended', { sortBy: 'finishedAt', finds: total, most: aPage }],
  ['of a chat', { filter: () => ({ chatId: many.chatId }), finds: callsTogether, most: together }],
  ['of a member', { filter: () => ({ memberId: many.memberId }), finds: callsTogether, most: together }],
  [
    'of a number with few',
    { filter: () => ({ phoneNumberId: many.quietNumberId }), finds: callsTogether, most: together },
  ],
  [
    'of a number with most',
    {
      filter: () => ({ phoneNumberId: many.busyNumberId }),
      finds: total - callsTogether,
      most: aPage,
      needsStatistics: true,
    },
  ],
  ['that come in', { filter: () => ({ inbound: true }), finds: total / 2, most: aPage }],
  [
    'that go on',
    { filter: () => ({ status: ['pending', 'ringing', 'in-progress'] }), finds: callsUp, most: 4 * callsUp },
  ],
  // Sorted after they were found, while there are few.
  ['of a status', { filter: () => ({ status: ['busy'] }), finds: busy, most: Math.max(4 * busy, 10_000) }],
  ['of an hour', { filter: () => anHour, finds: 3_600, most: aPage }],
  [
    'of a person in its own chats',
    { filter: () => ({ ofMember: many.memberId }), finds: callsTogether, most: together },
  ],
];

describe.each(['never analysed', 'analysed'])('among many calls, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze phone_calls, chats');
  }, 120_000);

  const known = shapes.filter(([, { needsStatistics }]) => !needsStatistics || state === 'analysed');

  it.each(known)('a list reads few rows for its page: %s', { timeout: 120_000 }, async (_name, shape) => {
    const { filter = () => ({}), finds, most, needsStatistics: _needs, ...asked } = shape;
    const page = { page: 1, pageSize: 25, sortBy: 'createdAt', sortOrder: 'desc', ...asked } as const;
    const { result, plans } = await explain((tx) => selectPhoneCalls(tx, filter(), page));
    const [count, ...pages] = plans;
    expect(result?.total).toBe(finds);
    expect(result?.items).toHaveLength(Math.min(25, finds));
    expect(count?.rows).toBeLessThanOrEqual(Math.max(4 * finds, 10));
    expect(pages.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(most);
  });

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['the calls of a chat are listed', (tx) => selectCallsOfChat(tx, many.chatId, 1_000)],
    ['the usage of a chat is summed', (tx) => usageOfCalls(tx, many.chatId)],
    ['the calls that are left to runs are paged', (tx) => selectUnsettledCalls(tx, 0, 200)],
    ['tries to prove who one is are counted', (tx) => countIdentityTries(tx, many.memberId, new Date(0))],
    [
      'the call that one calls back to is found',
      (tx) => {
        const { remoteNumber, busyNumberId: phoneNumberId } = many;
        return findReturnedCall(tx, { remoteNumber, phoneNumberId, since: new Date(0) });
      },
    ],
    [
      'calls from a number are counted',
      (tx) => countCallsFrom(tx, many.remoteNumber, { since: new Date(0), most: 20 }),
    ],
    [
      'calls to a number are counted',
      (tx) => countCallsTo(tx, many.remoteNumber, { since: new Date(0), except: 0, most: 20 }),
    ],
  ])('%s by an index', { timeout: 60_000 }, async (_name, read) => {
    const { plans } = await explain(read);
    expect(plans).not.toEqual([]);
    expect(plans.flatMap(({ scans }) => scans).filter((scan) => scan.startsWith('Seq Scan phone'))).toEqual(
      [],
    );
    for (const { rows } of plans) expect(rows).toBeLessThanOrEqual(together);
  });
});

it('among many calls, analysed, those outside of business hours are counted by their time', async () => {
  const since = new Date(many.latestAt.getTime() - callsTogether * 1_000);
  const { plans } = await explain((tx) => countClosedCalls(tx, many.busyNumberId, { since, most: 20 }));
  expect(plans).not.toEqual([]);
  for (const { rows } of plans) expect(rows).toBeLessThanOrEqual(together);
});
