import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createDataType } from '../../domain/records/data-types/create-data-type.js';
import { startApi, type TestApi } from './api.js';
import { callAs } from './call-as.js';
import { createWorkspace, randomTag, type TestWorkspace } from './factories.js';
import { toldEvents } from './told-events.js';
import { useWorkspace } from './use-workspace.js';

/** A data type, and where its records are called. */
export interface TestType {
  id: number;
  slug: string;
  path: string;
}

export const recordFields = [
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
  { slug: 'contact', name: 'Contact', fieldType: 'phone' },
  { slug: 'since', name: 'Since', fieldType: 'date' },
];

export async function addRecordType(workspace: TestWorkspace, isCollection: boolean): Promise<TestType> {
  const input = { name: 'Visits', slug: `visits-${randomTag()}`, isCollection, fields: recordFields };
  const { id, slug } = await createDataType(workspace.context(), input);
  return { id, slug, path: `/data-types/${id}/records` };
}

/** What suites of records begin with: an api, two workspaces, and for each test a type of both kinds. */
export function useRecords() {
  const suite = useWorkspace({ storesEvents: true });
  let api: TestApi;
  let otherWorkspace: TestWorkspace;
  let single: TestType;
  let collection: TestType;
  beforeAll(async () => {
    api = await startApi(suite.database.database);
    otherWorkspace = await createWorkspace(suite.database.database);
  });
  afterAll(async () => {
    await api.close();
    // Whatever the suite did: all of it is told as it is declared.
    await toldEvents(suite.workspace);
  });
  beforeEach(async () => {
    single = await addRecordType(suite.workspace, false);
    collection = await addRecordType(suite.workspace, true);
  });
  const as = (member: { apiKey: string }, workspace = suite.workspace) => callAs(api, workspace, member);
  return {
    get api() {
      return api;
    },
    get database() {
      return suite.database;
    },
    get workspace() {
      return suite.workspace;
    },
    get otherWorkspace() {
      return otherWorkspace;
    },
    /** Holds one record a member. */
    get single() {
      return single;
    },
    get collection() {
      return collection;
    },
    as,
    asAdmin: (...call: Parameters<ReturnType<typeof callAs>>) => as(suite.workspace.admin)(...call),
    asMember: (...call: Parameters<ReturnType<typeof callAs>>) => as(suite.workspace.member)(...call),
    /** What is told of a record to receivers of events, by type and in order. */
    eventsOf: (recordId: number): Promise<string[]> =>
      suite.database.database.inWorkspace(suite.workspace.workspaceId, async (tx) =>
        tx('events').where({ data_record_id: recordId }).orderBy('id').pluck('event_type'),
      ),
    /** Rows of a table in the workspace. */
    countRows: (table: string, where: Record<string, unknown>): Promise<number> =>
      suite.database.database.inWorkspace(suite.workspace.workspaceId, async (tx) =>
        Number((await tx(table).where(where).count({ count: '*' }))[0]?.count),
      ),
  };
}
