import { IdempotencyKeyModel } from '../identity/models/idempotency-key.js';
import { PendingLabelUpdateModel } from '../lib/models/pending-label-update.js';
import { ownChats, type PersonalDataInventory, type StoredTable } from '../lib/personal-data-inventory.js';
import { ErasedIdentifierModel } from './models/erased-identifier.js';
import { PersonErasureModel } from './models/person-erasure.js';
import { PersonExportModel } from './models/person-export.js';

const outbox: StoredTable = {
  tableName: 'outbox',
  holds: {
    id: undefined,
    workspace_id: undefined,
    run_type: 'code',
    subject: undefined,
    action: 'code',
    input: 'counts',
    attempts: undefined,
    available_at: undefined,
    parked_at: undefined,
    last_error_code: 'code',
    created_at: undefined,
    woken: undefined,
  },
};

const migrations: StoredTable = {
  tableName: 'knex_migrations',
  holds: { id: undefined, name: 'code', batch: undefined, migration_time: undefined },
};

const migrationsLock: StoredTable = {
  tableName: 'knex_migrations_lock',
  holds: { index: undefined, is_locked: undefined },
};

/** What the tables of this area hold of a person. */
export const personDataTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: IdempotencyKeyModel,
      // Cut at each field whose name ends in id: a regular expression takes thirty times as long.
      about: `t.answer is not null and exists (
        select from string_to_table(replace(t.answer, 'Id":', 'id":'), 'id":') as field
        where split_part(translate(left(field, 16), '}', ','), ',', 1) in (select its.id::text from (
          select :member::bigint as id union all ${ownChats} union all select id from data_records where member_id = :member union all select id from assignments where member_id = :member union all select id from files where owner_member_id = :member) as its))`,
      exported: { not: 'Copies of answers, kept for a day.' },
      walked: { bytesOf: 'answer' },
      erased: { by: 'empty' },
    },
    {
      model: PersonErasureModel,
      about: 't.member_id = :member',
      exported: { not: 'A member that has one has no data.' },
      erased: { by: 'keep', kept: 'Who asked for the erasure, when, and what it reached.' },
    },
    {
      model: ErasedIdentifierModel,
      about: 't.erasure_id in (select id from person_erasures where member_id = :member)',
      exported: { not: 'A member that has one has no data.' },
      erased: {
        by: 'keep',
        kept: 'Digests of the identifiers, for a day: imports that were asked for before do not bring the person back.',
      },
    },
    {
      model: PersonExportModel,
      about: 't.member_id = :member',
      exported: { file: 'exports', internal: true },
      erased: {
        by: 'empty',
        columns: {
          object_id: 'null',
          finished_at: 'coalesce(t.finished_at, now())',
          failure_reason: "coalesce(t.failure_reason, 'member_erased')",
        },
        kept: 'Who asked for an archive, and when. The archive itself is deleted.',
      },
    },
  ],
  others: [outbox, PendingLabelUpdateModel, migrations, migrationsLock],
};
