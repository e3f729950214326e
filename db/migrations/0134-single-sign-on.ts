import type { Knex } from 'knex';

/**
 * Signing in by the identity provider of an organization, and organizations that accept nothing else
 * (docs/decisions/0169-an-identity-is-of-an-organization.md, 0170-single-sign-on-only.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.organizations
      add column sso_only boolean not null default false,
      add column public_path text;
    alter table identity.organizations
      add constraint organizations_public_path check (public_path is not null or not sso_only);

    create table identity.identity_providers (
      organization_id bigint primary key references identity.organizations (id),
      issuer text not null,
      client_id text not null,
      client_secret bytea not null,
      email_domains text[] not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null
    );

    create table identity.external_identities (
      id bigint generated always as identity primary key,
      organization_id bigint not null references identity.organizations (id),
      issuer text not null,
      subject text not null,
      account_id bigint not null references identity.accounts (id) on delete cascade,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      unique (organization_id, issuer, subject)
    );
    create index on identity.external_identities (account_id);

    grant select, insert, update, delete on identity.identity_providers, identity.external_identities to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table identity.external_identities, identity.identity_providers;
    alter table identity.organizations drop column sso_only, drop column public_path;
  `);
}
