import type { Knex } from 'knex';

/** Claims of domains that nobody has proved, by the time that they were made or have lapsed: they end some time later. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index site_domains_unproved on identity.site_domains ((coalesce(lapsed_at, created_at)), id)
      where proved_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index identity.site_domains_unproved');
}
