import type { Knex } from 'knex';

/** What a call has lasted and should cost as the service reckons, beside what the carrier says. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table phone_calls add column measured_seconds integer, add column expected_price double precision',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table phone_calls drop column measured_seconds, drop column expected_price');
}
