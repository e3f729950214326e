import type { Knex } from 'knex';

/**
 * Marks the members that are superusers with support access: they come and go, so a workspace cannot rely on them. Also
 * indexes the members of a label, for lists and for its deletion.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.memberships add column is_support boolean not null default false;
    -- Known so far by the name that their role was made with.
    update identity.memberships m set is_support = true
    from identity.accounts a, members, member_roles r
    where a.id = m.account_id and a.is_superuser
      and members.workspace_id = m.workspace_id and members.id = m.member_id
      and r.workspace_id = members.workspace_id and r.id = members.member_role_id
      and r.name = 'Service support';

    create index on member_label_links (workspace_id, member_label_id, member_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index member_label_links_workspace_id_member_label_id_member_id_idx;
    alter table identity.memberships drop column is_support;
  `);
}
