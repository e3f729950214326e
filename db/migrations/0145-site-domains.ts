import type { Knex } from 'knex';
import { timestamps } from './tenant-table.js';

/**
 * Domains that sites claim. Several may claim one; it maps to the one that has proved it by its challenge in the DNS
 * (docs/decisions/0187-a-domain-maps-after-a-dns-proof.md). They are looked up before a workspace is known.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table identity.site_domains (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references identity.workspaces (id),
      site_id bigint not null,
      domain text not null,
      challenge text not null,
      proved_at timestamptz,
      checked_at timestamptz,
      failure text,
      failing_since timestamptz,
      lapsed_at timestamptz,
      check_at timestamptz,
      ${timestamps},
      unique (workspace_id, site_id),
      unique (workspace_id, domain),
      check (proved_at is null or lapsed_at is null)
    );
    create unique index site_domains_mapped on identity.site_domains (domain) where proved_at is not null;
    create index site_domains_to_check on identity.site_domains (check_at, id) where proved_at is not null;

    grant select, insert, update, delete on identity.site_domains to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table identity.site_domains;');
}
