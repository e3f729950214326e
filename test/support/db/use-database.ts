import { afterAll, beforeAll } from 'vitest';
import { later } from '../lib/later.js';
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
