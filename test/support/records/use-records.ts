import { afterAll, beforeEach } from 'vitest';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { FieldDefinition } from '../../../domain/records/field-values.js';
import { useApi } from '../api/use-api.js';
import { toldEvents } from '../webhooks/told-events.js';
import { randomTag, type TestWorkspace } from '../workspace/factories.js';

/** A data type, and where its records are called. */
export interface TestType {
  id: number;
  slug: string;
  path: string;
}

export const recordFields: FieldDefinition[] = [
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
  { slug: 'contact', name: 'Contact', fieldType: 'phone' },
  { slug: 'since', name: 'Since', fieldType: 'date' },
];

export async function addRecordType(
  workspace: TestWorkspace,
  isCollection: boolean,
  fields = recordFields,
): Promise<TestType> {
  const input = { name: 'Visits', slug: `visits-${randomTag()}`, isCollection, fields };
  const { id, slug } = await createDataType(workspace.context(), input);
  return { id, slug, path: `/data-types/${id}/records` };
}

/** What suites of records begin with: `useApi`, and for each test a type of both kinds. */
export function useRecords(fields = recordFields) {
  const suite = useApi({ storesEvents: true });
  const { workspace } = suite;
  let single: TestType;
  let collection: TestType;
  beforeEach(async () => {
    single = await addRecordType(workspace, false, fields);
    collection = await addRecordType(workspace, true, fields);
  });
  // Whatever the suite did: all of it is told as it is declared.
  afterAll(() => toldEvents(workspace));
  return {
    ...suite,
    /** Holds one record a member. */
    get single() {
      return single;
    },
    get collection() {
      return collection;
    },
    /** A record for a cough, of the caller unless `more` names a member. */
    create: async (type: TestType, more: object = {}, call = suite.asAdmin) =>
      (await call('POST', type.path, { fieldValues: { reason: 'Cough' }, ...more })).body,
    /** What is told of a record to receivers of events, by type and in order. */
    eventsOf: (recordId: number): Promise<string[]> =>
      workspace.within(async (tx) =>
        tx('events').where({ data_record_id: recordId }).orderBy('id').pluck('event_type'),
      ),
    /** Rows of a table in the workspace. */
    countRows: (table: string, where: Record<string, unknown>): Promise<number> =>
      workspace.within(async (tx) => Number((await tx(table).where(where).count({ count: '*' }))[0]?.count)),
  };
}
