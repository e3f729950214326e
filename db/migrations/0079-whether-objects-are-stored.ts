import type { Knex } from 'knex';

/** Whether any workspace has stored objects: without their folder, a disk has lost its volume and is not new. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function has_stored_objects() returns boolean
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$ select exists (select from public.stored_objects where state = 'stored') $$;
    revoke execute on function has_stored_objects() from public;
    grant execute on function has_stored_objects() to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function has_stored_objects()');
}
