import { beforeAll } from 'vitest';
import { type DataTypeRow, pinDataType } from '../../../../db/records/data-types.js';
import type { Tx } from '../../../../db/tx.js';
import type { WriteOptions } from '../../../../domain/records/data-records/writing/write-records.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import type { FieldDefinition } from '../../../../domain/records/field-values.js';
import { addMemberRow, randomTag } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

export const optionsOf = (options: Partial<WriteOptions> = {}): WriteOptions => ({
  actorMemberId: null,
  now: new Date(),
  defaultRegion: 'US',
  fileGiver: null,
  authorize: undefined,
  ...options,
});

/** What suites of writing records begin with: a workspace with two members, and types with these fields. */
export function useWriting(fields: FieldDefinition[]) {
  const { workspace } = useWorkspace({ storesEvents: true });
  const members = { memberId: 0, otherId: 0 };
  const newMember = async () =>
    (await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id })).id;
  beforeAll(async () => {
    members.memberId = await newMember();
    members.otherId = await newMember();
  });

  return {
    workspace,
    members,
    newMember,
    newType: (isCollection: boolean) => {
      const slug = `visits-${randomTag()}`;
      return createDataType(workspace.context(), { name: 'Visits', slug, isCollection, fields });
    },
    /** Writes in a transaction that has the type. */
    writing: <T>({ id }: DataTypeRow, work: (tx: Tx) => Promise<T>) =>
      workspace.within(async (tx) => {
        await pinDataType(tx, id);
        return work(tx);
      }),
    /** What is stored for a type: the records, their history, their values and their events, in order. */
    kept: ({ id }: DataTypeRow) =>
      workspace.within(async (tx) => {
        const ofType = tx('data_records').where({ data_type_id: id }).select('id');
        const [rows, changes, values, events] = await Promise.all([
          tx('data_records').where({ data_type_id: id }).orderBy('id'),
          tx('data_record_changes').whereIn('record_id', ofType.clone()).orderBy('id'),
          tx('data_record_values').whereIn('record_id', ofType.clone()).orderBy(['record_id', 'field']),
          tx('events').whereIn('data_record_id', ofType.clone()).orderBy('id').pluck('event_type'),
        ]);
        return {
          rows,
          changes: changes.map(({ operation, before, after }) => ({ operation, before, after })),
          values: values.map(({ field, text_value, retired }) => ({ field, text_value, retired })),
          events,
        };
      }),
  };
}
