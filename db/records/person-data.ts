import type { PersonTables } from '../lib/person-data.js';

const ofOwnRecord = 't.record_id in (select id from data_records where member_id = :member)';

/** What the tables of this area hold of a person. */
export const recordsTables: PersonTables = {
  'public.data_records': {
    personal: 'external_id field_values retired_reason',
    rest: 'id workspace_id uuid data_type_id member_id is_single access_mode assignment_task_id retired_at retired_by_member_id created_at updated_at is_retired value_bytes',
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
  'public.data_record_changes': {
    personal: 'before after',
    rest: 'id workspace_id record_id operation actor_member_id created_at value_bytes',
    about: ofOwnRecord,
    exported: {
      file: 'record-changes',
      hidden: `not exists (select from data_records r where r.workspace_id = t.workspace_id and r.id = t.record_id and r.access_mode > 0)`,
    },
    erased: { by: 'cascade', from: 'public.data_records' },
  },
  'public.data_record_values': {
    personal: 'text_value number_value',
    configuration: 'field',
    rest: 'workspace_id data_type_id record_id retired is_unique',
    about: ofOwnRecord,
    exported: { not: 'Copies of the values of records, for searching.' },
    erased: { by: 'cascade', from: 'public.data_records' },
  },
  'public.data_types': {
    configuration: 'name fields',
    rest: 'id workspace_id uuid slug is_collection created_at updated_at',
  },
  'public.stored_bytes': {
    rest: 'id workspace_id bytes',
  },
};
