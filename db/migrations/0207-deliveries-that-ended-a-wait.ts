import type { Knex } from 'knex';

/** A message that fails puts the chat back in the queue that it took it out of. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table deliveries add column ended_wait boolean not null default false;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table deliveries drop column ended_wait;');
}
