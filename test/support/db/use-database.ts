import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { later } from '../lib/later.js';
import { connect } from './connect.js';
import { createTestDatabase, type TestDatabase } from './database.js';

/** A database of a suite's own, from its beginning to its end. */
export function useDatabase(): TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  return later(() => database);
}

/** A connection past the service for a suite, with the rights of a role. */
export function useConnection(url: () => string) {
  let client: pg.Client | undefined;
  beforeAll(async () => {
    client = await connect(url());
  });
  afterAll(() => client?.end());
  return async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    if (client === undefined) throw new Error('there is no connection before the suite has begun');
    return client.query<Row>(text, values);
  };
}
