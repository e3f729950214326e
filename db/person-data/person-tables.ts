import { ownChats, type PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const personDataTables: PersonTables = {
  'public.idempotency_keys': {
    personal: 'answer',
    secret: 'digest fingerprint',
    rest: 'id workspace_id operation status resource_id created_at grants',
    // Cut at each field whose name ends in id: a regular expression takes thirty times as long.
    about: `t.answer is not null and exists (
        select from string_to_table(replace(t.answer, 'Id":', 'id":'), 'id":') as field
        where split_part(translate(left(field, 16), '}', ','), ',', 1) in (select its.id::text from (
          select :member::bigint as id union all ${ownChats} union all select id from data_records where member_id = :member union all select id from assignments where member_id = :member union all select id from files where owner_member_id = :member) as its))`,
    exported: { not: 'Copies of answers, kept for a day.' },
    walked: { bytesOf: 'answer' },
    erased: { by: 'empty', columns: { answer: 'null' } },
  },
  'public.outbox': {
    rest: 'id workspace_id run_type subject action input attempts available_at parked_at last_error_code created_at woken',
  },
  'public.label_changes': {
    rest: 'id workspace_id kind label_id label_uuid deleted done_to',
  },
  'public.knex_migrations': {
    rest: 'id name batch migration_time',
  },
  'public.knex_migrations_lock': {
    rest: 'index is_locked',
  },
  'public.person_erasures': {
    rest: 'id workspace_id uuid member_id requested_by_member_id account_id begun_in counts place created_at reopened_at erased_at look_again_at finished_at',
    about: 't.member_id = :member',
    exported: { not: 'A member that has one has no data.' },
    erased: { by: 'keep', kept: 'Who asked for the erasure, when, and what it reached.' },
  },
  'public.erased_identifiers': {
    secret: 'digest',
    rest: 'id workspace_id erasure_id erased_at',
    about: 't.erasure_id in (select id from person_erasures where member_id = :member)',
    exported: { not: 'A member that has one has no data.' },
    erased: {
      by: 'keep',
      kept: 'Digests of the identifiers, for a day: imports that were asked for before do not bring the person back.',
    },
  },
  'public.person_exports': {
    rest: 'id workspace_id uuid member_id requested_by_member_id includes_internal kept_days attempts object_id row_count file_count left_out_count created_at finished_at expires_at failure_reason',
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
};
