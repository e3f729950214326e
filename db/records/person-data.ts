import { type PersonTables, tableWithoutModel } from '../lib/person-data.js';
import { DataRecordModel } from './models/data-record.js';
import { DataRecordChangeModel } from './models/data-record-change.js';
import { DataTypeModel } from './models/data-type.js';

const ofOwnRecord = 't.record_id in (select id from data_records where member_id = :member)';

/** What the tables of this area hold of a person. */
export const recordsTables: PersonTables = {
  aboutMembers: [
    {
      model: DataRecordModel,
      about: 't.member_id = :member',
      exported: {
        file: 'records',
        also: {
          dataTypeSlug: `(select slug from data_types y where y.workspace_id = t.workspace_id and y.id = t.data_type_id)`,
        },
        hidden: `t.access_mode = 0`,
      },
      erased: { by: 'delete' },
    },
    {
      model: DataRecordChangeModel,
      about: ofOwnRecord,
      exported: {
        file: 'record-changes',
        hidden: `not exists (select from data_records r where r.workspace_id = t.workspace_id and r.id = t.record_id and r.access_mode > 0)`,
      },
      erased: { by: 'cascade', from: DataRecordModel },
    },
    {
      model: tableWithoutModel('data_record_values', {
        personal: 'text_value number_value',
        configuration: 'field',
        other: 'workspace_id data_type_id record_id retired is_unique',
      }),
      about: ofOwnRecord,
      exported: { not: 'Copies of the values of records, for searching.' },
      erased: { by: 'cascade', from: DataRecordModel },
    },
  ],
  others: [DataTypeModel, tableWithoutModel('stored_bytes', { other: 'id workspace_id bytes' })],
};
