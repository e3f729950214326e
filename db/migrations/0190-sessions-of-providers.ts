import type { Knex } from 'knex';

/**
 * A session that the identity provider of an organization has begun is good in that organization only
 * (docs/decisions/0220-a-session-by-a-provider-stays-in-its-organization.md). Those of the last release are bound where
 * that is known, and else end, with the keys and grants that were made in them. The trigger binds those that processes of
 * the last release begin while it still runs.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table identity.sessions add column organization_id bigint references identity.organizations (id);
    create index on identity.sessions (organization_id, account_id) where organization_id is not null;

    create function identity.bind_session_to_organization() returns trigger language plpgsql as $$
    begin
      update identity.sessions set organization_id = new.organization_id, expires_at = least(expires_at, new.expires_at)
        where id = new.session_id;
      return null;
    end $$;
    create trigger bind_session_to_organization after insert on identity.organization_sessions
      for each row when (new.by_sso) execute function identity.bind_session_to_organization();

    update identity.sessions s set organization_id = o.organization_id, expires_at = least(s.expires_at, o.expires_at)
      from identity.organization_sessions o where o.session_id = s.id and o.by_sso and s.ended_at is null;
    update identity.sessions set ended_at = now()
      where ended_at is null and organization_id is null
        and account_id in (select account_id from identity.external_identities);

    create temporary table made_by_providers on commit drop as
      select made.action, made.subject_id from identity.audit_events begun
        join identity.audit_events made on made.account_id = begun.account_id
          and made.credential_kind = 'session' and made.credential_id = begun.subject_id
          and made.action in ('api_key:created', 'application:connected')
        where begun.action = 'session:begun' and 'sso' = any (begun.names);
    with recursive tree as (
      select subject_id as id from made_by_providers where action = 'api_key:created'
      union select k.id from identity.api_keys k join tree on k.parent_id = tree.id
    )
    update identity.api_keys set revoked_at = now() where revoked_at is null and id in (select id from tree);
    update identity.oauth_grants set revoked_at = now(), revoked_by = 'person' where revoked_at is null
      and id in (select subject_id from made_by_providers where action = 'application:connected');
    drop table made_by_providers;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger bind_session_to_organization on identity.organization_sessions;
    drop function identity.bind_session_to_organization();
    alter table identity.sessions drop column organization_id;
  `);
}
