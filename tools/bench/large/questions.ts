import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { type ActivityDependencies, createActivities } from '../../../activities/index.js';
import { systemClock } from '../../../domain/lib/clock.js';
import {
  readDueDeliveries,
  readDueScheduledMessages,
  readOldestErasure,
  readOwedTurns,
} from '../../../runtime/relay/gauges.js';
import { connect } from '../../../test/support/db/connect.js';
import { openRuns } from '../../../test/support/temporal/open-runs.js';
import type * as scheduledRuns from '../../../workflows/schedules.js';
import type { StageProcess } from '../stage/processes.js';
import { ask } from '../support/ask.js';
import type { Installation } from './installation.js';

/** What an installation is asked, whatever its size. */
export interface Question {
  name: string;
  title: string;
  /** How often it is asked in a round. */
  times: number;
  ask(installation: Installation, api: Pick<StageProcess, 'url'>, nth: number): Promise<unknown>;
}

const get = (name: string, title: string, path: (among: Installation, nth: number) => string): Question => ({
  name,
  title,
  times: 40,
  ask: (installation, api, nth) => ask(installation.stage, api, 'GET', path(installation, nth)),
});

const pass = (activity: keyof typeof scheduledRuns, title: string): Question => ({
  name: activity,
  title,
  times: 5,
  async ask({ stage }) {
    const dependencies = {
      db: stage.database,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      runs: openRuns(),
    } as unknown as ActivityDependencies;
    const run = createActivities(dependencies)[activity] as () => Promise<unknown>;
    await new MockActivityEnvironment().run(run);
  },
});

const one = (ids: readonly number[], nth: number) => ids[nth % ids.length];

export const questions: readonly Question[] = [
  get('get-chat', 'Get a chat', ({ chats }, nth) => `/chats/${one(chats, nth)}`),
  get('get-messages', 'Get ten messages of a chat', ({ chats }, nth) => `/chats/${one(chats, nth)}/messages`),
  get(
    'get-assignment',
    'Get an assignment',
    ({ assignments }, nth) => `/assignments/${one(assignments, nth)}`,
  ),
  {
    name: 'post-message',
    title: 'Post a message in a web chat',
    times: 20,
    ask: ({ stage, chats }, api, nth) =>
      ask(stage, api, 'POST', `/chats/${one(chats, nth)}/messages`, { body: { content: 'Hello' } }),
  },
  get('list-chats', 'List chats', () => '/chats?pageSize=25'),
  get('list-assignments', 'List assignments', () => '/assignments?pageSize=25'),
  get('list-members', 'List members', () => '/members?pageSize=25'),
  get('list-queue', 'List the queue of chats', () => '/chats/needs-response?pageSize=25'),
  get('list-events', 'List events', () => '/events?pageSize=25'),
  get('search-messages', 'Search messages', () => '/chats/message-search?q=42'),
  {
    name: 'gauges',
    title: 'What the relay measures',
    times: 20,
    async ask({ stage }) {
      const client = await connect(stage.relayUrl);
      await readOwedTurns(client);
      await readDueDeliveries(client);
      await readDueScheduledMessages(client);
      await readOldestErasure(client);
      await client.end();
    },
  },
  pass('reconcileRuns', 'Net: runs'),
  pass('askForReceipts', 'Net: receipts'),
  pass('tellOfWaitingChats', 'Net: chats that wait'),
  pass('forgetOldKeys', 'Retention: keys'),
  pass('collectObjects', 'Retention: bytes'),
  pass('forgetOldEvents', 'Retention: events'),
  pass('forgetOldData', 'Retention: chats and files'),
];
