import type { Knex } from 'knex';

/** Proving an address invalidates the unused tokens of its members, which are found by member among all tokens. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index on identity.member_tokens (workspace_id, member_id) where used_at is null');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index identity.member_tokens_workspace_id_member_id_idx');
}
