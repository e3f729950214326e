import { beforeAll } from 'vitest';
import type { TestDatabase } from '../db/database.js';
import { useDatabase } from '../db/use-database.js';
import { later } from '../lib/later.js';
import { subscribeToAllEvents } from '../webhooks/event-rules.js';
import { createWorkspace, type TestWorkspace, type WorkspaceOptions } from './factories.js';

export interface UseWorkspaceOptions extends Pick<WorkspaceOptions, 'defaultRegion'> {
  /** Whether events of all types are stored (`subscribeToAllEvents`). */
  storesEvents?: boolean;
}

/** A database and a workspace of a suite's own, from its beginning to its end. */
export function useWorkspace({ storesEvents = false, ...options }: UseWorkspaceOptions = {}): {
  readonly database: TestDatabase;
  readonly workspace: TestWorkspace;
} {
  const database = useDatabase();
  let workspace: TestWorkspace | undefined;
  beforeAll(async () => {
    workspace = await createWorkspace(database.database, options);
    if (storesEvents) await subscribeToAllEvents(workspace);
  });
  return { database, workspace: later(() => workspace) };
}
