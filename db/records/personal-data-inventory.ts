import type { PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { DataRecordModel } from './models/data-record.js';
import { DataRecordChangeModel } from './models/data-record-change.js';
import { DataRecordValueModel } from './models/data-record-value.js';
import { DataTypeModel } from './models/data-type.js';
import { StoredBytesModel } from './models/stored-bytes.js';

const ofOwnRecord = 't.record_id in (select id from data_records where member_id = :member)';

/** What the tables of this area hold of a person. */
export const recordsTables: PersonalDataInventory = {
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
      model: DataRecordValueModel,
      about: ofOwnRecord,
      exported: { not: 'Copies of the values of records, for searching.' },
      erased: { by: 'cascade', from: DataRecordModel },
    },
  ],
  others: [DataTypeModel, StoredBytesModel],
};
