import { Database } from '../../../db/database.js';
import { createLivePublisher } from '../../../db/live/live-publisher.js';
import type { TestDatabase } from '../db/database.js';
import { type ApiOptions, startApi, type TestApi } from './api.js';
import { createLiveChats, type LiveOptions } from './live.js';

export interface LiveApi extends TestApi {
  database: Database;
  /** Ends what is open, as a process that is told to stop does. */
  endStreams(): Promise<void>;
}

/** An api as a process of its own would be: its own pool, its own connections to tell and to hear. */
export async function startLiveApi(
  testDatabase: Pick<TestDatabase, 'appUrl'>,
  options: Omit<ApiOptions, 'live'> & { live?: LiveOptions } = {},
): Promise<LiveApi> {
  const { live: liveOptions, ...rest } = options;
  const { appUrl: url } = testDatabase;
  const publisher = createLivePublisher(url);
  const database = new Database({ url, onChatsChanged: publisher.chatsChanged });
  const live = createLiveChats(database, url, publisher, liveOptions);
  const api = await startApi(database, { ...rest, live });
  return {
    ...api,
    database,
    endStreams: () => live.close(),
    async close() {
      await live.close();
      await api.close();
      await publisher.close();
      await database.close();
    },
  };
}
