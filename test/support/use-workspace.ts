import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.js';
import { subscribeToAllEvents } from './event-rules.js';
import { createWorkspace, type TestWorkspace } from './factories.js';

export interface UseWorkspaceOptions {
  /** Whether events of all types are stored (`subscribeToAllEvents`). */
  storesEvents?: boolean;
}

/** A database and a workspace of a suite's own, from its beginning to its end. */
export function useWorkspace({ storesEvents = false }: UseWorkspaceOptions = {}): {
  readonly database: TestDatabase;
  readonly workspace: TestWorkspace;
} {
  let database: TestDatabase | undefined;
  let workspace: TestWorkspace | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    workspace = await createWorkspace(database.database);
    if (storesEvents) await subscribeToAllEvents(workspace);
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
