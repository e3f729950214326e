import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../../db/database.js';
import { later } from '../lib/later.js';
import { createWorkspace, type TestMember, type TestWorkspace } from '../workspace/factories.js';
import { type UseWorkspaceOptions, useWorkspace } from '../workspace/use-workspace.js';
import { type ApiOptions, startApi, type TestApi } from './api.js';
import { callAs } from './call-as.js';

export interface UseApiOptions extends ApiOptions, UseWorkspaceOptions {}

/** What `useWorkspace` gives, a second workspace and an api, from the beginning of a suite to its end. */
export function useApi({ storesEvents = false, defaultRegion = 'US', ...options }: UseApiOptions = {}) {
  const { database, workspace } = useWorkspace({ storesEvents, defaultRegion });
  let other: TestWorkspace | undefined;
  beforeAll(async () => {
    other = await createWorkspace(database.database);
  });
  const api = useApiOn(() => database.database, options);
  const as = (member: Pick<TestMember, 'apiKey'>, place = workspace) => callAs(api, place, member);
  type Call = Parameters<ReturnType<typeof callAs>>;
  return {
    database,
    workspace,
    otherWorkspace: later(() => other),
    api,
    as,
    asAdmin: (...call: Call) => as(workspace.admin)(...call),
    asMember: (...call: Call) => as(workspace.member)(...call),
  };
}

/** An api on this database, from the beginning of a suite to its end. */
export function useApiOn(database: () => Database, options: ApiOptions = {}): TestApi {
  let api: TestApi | undefined;
  beforeAll(async () => {
    api = await startApi(database(), options);
  });
  afterAll(() => api?.close());
  return later(() => api);
}
