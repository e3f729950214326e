import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.js';
import { createWorkspace, type TestWorkspace } from './factories.js';

/** A database and a workspace of a suite's own, from its beginning to its end. */
export function useWorkspace(): { readonly database: TestDatabase; readonly workspace: TestWorkspace } {
  let database: TestDatabase | undefined;
  let workspace: TestWorkspace | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    workspace = await createWorkspace(database.database);
  });
  afterAll(() => database?.drop());
  const made = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('there is nothing before the suite has begun');
    return thing;
  };
  return {
    get database() {
      return made(database);
    },
    get workspace() {
      return made(workspace);
    },
  };
}
