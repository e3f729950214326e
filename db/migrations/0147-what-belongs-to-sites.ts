import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/**
 * Files and chats that belong to a site (docs/decisions/0188-files-of-sites.md), and mails to admins about the domain of one. No
 * chat has a site yet: the index is built without reading any into it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table files
      add column site_id bigint,
      add ${tenantKey('site_id', 'sites', 'on delete set null (site_id)')};
    create index on files (workspace_id, site_id, id) where site_id is not null;
    create index on chats (workspace_id, site_id) where site_id is not null;
    alter table chats add ${tenantKey('site_id', 'sites', 'on delete set null (site_id)')} not valid;
    alter table event_rule_notices
      add column site_id bigint,
      drop constraint event_rule_notices_reason_check,
      add constraint event_rule_notices_reason_check
        check (reason in ('gone', 'failing', 'credits_low', 'credits_used_up', 'secret_refused',
                          'mcp_server_refused', 'mcp_tools_changed', 'site_domain_failing', 'site_domain_lapsed')),
      add ${tenantKey('site_id', 'sites', 'on delete cascade')};
    create index on event_rule_notices (workspace_id, site_id) where site_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from event_rule_notices where site_id is not null;
    alter table event_rule_notices
      drop column site_id,
      drop constraint event_rule_notices_reason_check,
      add constraint event_rule_notices_reason_check
        check (reason in ('gone', 'failing', 'credits_low', 'credits_used_up', 'secret_refused',
                          'mcp_server_refused', 'mcp_tools_changed'));
    alter table chats drop constraint chats_workspace_id_site_id_fkey;
    drop index chats_workspace_id_site_id_idx;
    update chats set site_id = null where site_id is not null;
    alter table files drop column site_id;
  `);
}
