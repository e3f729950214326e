import type { Knex } from 'knex';

/**
 * Whom a workspace goes back to, so that an account creates so many only. The maker of an earlier one is its first
 * member.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.workspaces
      add column created_by_account_id bigint references identity.accounts (id) on delete set null;
    update identity.workspaces w set created_by_account_id = first.account_id
    from (
      select distinct on (workspace_id) workspace_id, account_id
      from identity.memberships where not is_support order by workspace_id, member_id
    ) as first
    where first.workspace_id = w.id;
    create index on identity.workspaces (created_by_account_id) where created_by_account_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table identity.workspaces drop column created_by_account_id');
}
