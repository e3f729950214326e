import type { Knex } from 'knex';
import { tenantKey, tenantTable, uuid } from './tenant-table.js';

const permissions = ['person_data:erase'];

/**
 * What is erased of one person (docs/decisions/0114-one-persons-data-is-declared-and-erased.md).
 *
 * Events name the member that they are about. The previous release does not know the column: for its events, a trigger
 * reads it from the body.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      `alter table events add column member_id bigint;
       create function member_of_event(body text) returns bigint language plpgsql immutable as $$
       declare
         event jsonb;
       begin
         if not (body is json object) then return null; end if;
         event := body::jsonb;
         return coalesce(event #>> '{member,id}', event #>> '{dataRecord,memberId}', event #>> '{chat,memberId}')::bigint;
       end $$;
       update events set member_id = member_of_event(body) where not is_test;
       create index events_of_member on events (workspace_id, member_id, id) where member_id is not null;
       create function note_member_of_event() returns trigger language plpgsql as $$
       begin
         new.member_id := member_of_event(new.body);
         return new;
       end $$;
       create trigger note_member before insert on events for each row
         when (new.member_id is null and not new.is_test and new.event_type <> 'member:erased')
         execute function note_member_of_event();
       create index on assignment_cancellations (workspace_id, assignment_id);
       grant update (answer) on identity.account_idempotency_keys to wes_app;`,
      // begun_in is the transaction that the erasure began in: what older ones write is awaited.
      tenantTable(
        'person_erasures',
        `${uuid},
         member_id bigint not null,
         requested_by_member_id bigint not null,
         account_id bigint,
         begun_in bigint not null default pg_current_xact_id()::text::bigint,
         counts jsonb not null default '{}',
         created_at timestamptz not null default now(),
         erased_at timestamptz,
         look_again_at timestamptz,
         finished_at timestamptz,
         unique (workspace_id, member_id),
         ${tenantKey('member_id', 'members')},
         ${tenantKey('requested_by_member_id', 'members')}`,
      ),
      `create index on person_erasures (workspace_id, requested_by_member_id);
       create index person_erasures_open on person_erasures (workspace_id, id) where finished_at is null;`,
    ].join('\n'),
  );
  // A member cannot grant permissions that it lacks, so in older workspaces nobody ever could.
  await knex.raw(
    `update member_roles set permissions = permissions || ?::text[]
     where permissions @> array['members:write', 'roles:write'] and not permissions && ?::text[]`,
    [permissions, permissions],
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const permission of permissions) {
    await knex.raw('update member_roles set permissions = array_remove(permissions, ?)', [permission]);
  }
  await knex.raw(`
    revoke update (answer) on identity.account_idempotency_keys from wes_app;
    drop table person_erasures;
    drop index assignment_cancellations_workspace_id_assignment_id_idx, events_of_member;
    drop trigger note_member on events;
    drop function note_member_of_event, member_of_event;
    alter table events drop column member_id;
  `);
}
