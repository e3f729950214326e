import type { Knex } from 'knex';

/**
 * The pool of phone numbers that the operator of the installation fills. A workspace takes its numbers from it
 * (docs/decisions/0019-phone-numbers-are-the-operators.md). Numbers that workspaces use already stay theirs.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.phone_number_pool (
      id bigint generated always as identity primary key,
      number text not null unique,
      workspace_id bigint references identity.workspaces (id),
      purpose text not null default 'workspaces' check (purpose in ('workspaces', 'login_codes')),
      source text not null check (source in ('superuser', 'setting', 'earlier_release')),
      created_at timestamptz not null default now(),
      check (purpose = 'workspaces' or workspace_id is null)
    );
    create index on identity.phone_number_pool (workspace_id);
    grant select, insert, update, delete on identity.phone_number_pool to wes_app;

    insert into identity.phone_number_pool (number, workspace_id, source)
    select number, workspace_id, 'earlier_release' from identity.phone_number_routes order by number;
    alter table identity.phone_number_routes
      add constraint phone_number_routes_number_in_pool
      foreign key (number) references identity.phone_number_pool (number);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.phone_number_routes drop constraint phone_number_routes_number_in_pool;
    drop table identity.phone_number_pool;
  `);
}
