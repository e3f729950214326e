import type { Knex } from 'knex';

/** Organizations that anyone who is signed in may join. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.organizations add column anyone_may_join boolean not null default false;
    alter table identity.organization_members
      drop constraint organization_members_joined_by_check,
      add constraint organization_members_joined_by_check
        check (joined_by in ('founding', 'invitation', 'domain', 'open', 'sso'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update identity.organization_members set joined_by = 'domain' where joined_by = 'open';
    alter table identity.organization_members
      drop constraint organization_members_joined_by_check,
      add constraint organization_members_joined_by_check
        check (joined_by in ('founding', 'invitation', 'domain', 'sso'));
    alter table identity.organizations drop column anyone_may_join;
  `);
}
