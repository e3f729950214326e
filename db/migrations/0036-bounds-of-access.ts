import type { Knex } from 'knex';

/**
 * Which account created a workspace (for existing ones, that of the first member), and which API key created a key, so
 * that they can be counted and ended together; which members are disabled; and until when, and why, a superuser has
 * support access. Existing support access ends after one day. Also the permissions of the caller whose answer is stored
 * under an Idempotency-Key.
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

    alter table identity.api_keys
      add column parent_id bigint references identity.api_keys (id) on delete set null;
    create index on identity.api_keys (parent_id) where parent_id is not null;
    create index on identity.api_keys (workspace_id) where workspace_id is not null;

    alter table members add column disabled_at timestamptz;

    alter table identity.memberships add column support_reason text, add column support_ends_at timestamptz;
    update identity.memberships set support_ends_at = now() + interval '1 day' where is_support;

    alter table idempotency_keys add column grants text[];
    alter table identity.account_idempotency_keys add column grants text[];
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table idempotency_keys drop column grants;
    alter table identity.account_idempotency_keys drop column grants;
    alter table identity.memberships drop column support_reason, drop column support_ends_at;
    alter table members drop column disabled_at;
    drop index identity.api_keys_workspace_id_idx;
    alter table identity.api_keys drop column parent_id;
    alter table identity.workspaces drop column created_by_account_id;
  `);
}
