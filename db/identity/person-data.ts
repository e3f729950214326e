import { type PersonTables, tableWithoutModel } from '../lib/person-data.js';

const grants = tableWithoutModel('identity.oauth_grants', {
  personal: 'client_name',
  code: 'resource revoked_by',
  codes: 'scopes',
  id: 'grant_id client_id',
  other: 'id uuid account_id workspace_id created_at expires_at last_used_at revoked_at',
});

/** What the tables of this area hold of a person. */
export const identityTables: PersonTables = {
  aboutMembers: [
    {
      model: tableWithoutModel('audit_events', {
        personal: 'address user_agent request_id',
        code: 'action credential_kind subject_type',
        codes: 'names',
        other: 'id workspace_id created_at credential_id subject_id count sampled_hour actor_member_id',
      }),
      about: "(t.actor_member_id = :member or t.subject_type = 'member' and t.subject_id = :member)",
      // Where others came from who acted on the member is theirs.
      exported: {
        file: 'audit-events',
        internal: true,
        columns: {
          address: 'case when t.actor_member_id = :member then t.address end',
          user_agent: 'case when t.actor_member_id = :member then t.user_agent end',
          request_id: 'case when t.actor_member_id = :member then t.request_id end',
        },
      },
      erased: {
        by: 'empty',
        columns: {
          address: 'case when t.actor_member_id = :member then null else t.address end',
          user_agent: 'case when t.actor_member_id = :member then null else t.user_agent end',
          request_id: 'case when t.actor_member_id = :member then null else t.request_id end',
        },
        kept: 'Who did what and when, by ids, in the audit log of the workspace.',
      },
    },
    {
      model: tableWithoutModel('identity.audit_events', {
        personal: 'address user_agent request_id',
        code: 'action credential_kind subject_type',
        codes: 'names',
        other: 'id account_id created_at credential_id subject_id count sampled_hour',
      }),
      about: 't.account_id = :account',
      exported: { file: 'account-audit-events' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.organization_audit_events', {
        personal: 'address user_agent request_id',
        code: 'action credential_kind subject_type',
        codes: 'names',
        other:
          'id organization_id actor_account_id actor_member_id created_at credential_id subject_id count sampled_hour',
      }),
      about: 't.actor_account_id = :account',
      exported: { file: 'organization-audit-events' },
      erased: {
        by: 'empty',
        kept: 'Who did what and when, by ids, in the audit log of the organization.',
      },
    },
    {
      model: tableWithoutModel('identity.sessions', {
        personal: 'user_agent',
        digest: 'hash',
        codes: 'role_grants granted',
        other:
          'id uuid account_id workspace_id member_id created_at last_used_at expires_at ended_at api_key_id organization_id sealed_at',
      }),
      about: '(t.workspace_id = :workspace and t.member_id = :member or t.account_id = :account)',
      exported: { file: 'sessions' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.member_tokens', {
        digest: 'hash',
        codes: 'role_grants granted',
        other: 'id workspace_id member_id expires_at used_at created_at api_key_id sealed_at',
      }),
      about: 't.workspace_id = :workspace and t.member_id = :member',
      exported: { file: 'sign-in-tokens' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.login_codes', {
        personal: 'new_address',
        digest: 'identifier_hash requester_hash',
        token: 'nonce claim_token',
        code: 'channel failure_reason',
        other:
          'id uuid account_id wrong_tries expires_at superseded_at used_at claimed_at sent_at created_at claimant_workspace_id claimant_member_id for_account_id',
      }),
      about:
        '(t.claimant_workspace_id = :workspace and t.claimant_member_id = :member or t.account_id = :account or t.for_account_id = :account)',
      exported: { file: 'login-codes' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.memberships', {
        personal: 'support_reason',
        other:
          'workspace_id member_id account_id created_at is_support account_alias tos_accepted support_ends_at',
      }),
      about: 't.workspace_id = :workspace and t.member_id = :member',
      exported: { file: 'membership' },
      erased: { by: 'begin', what: 'Removed when the erasure begins.' },
    },
    {
      model: tableWithoutModel('identity.external_identities', {
        personal: 'subject',
        code: 'issuer',
        other: 'id organization_id account_id created_at last_used_at',
      }),
      about: 't.account_id = :account',
      exported: { file: 'external-identities' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.organization_members', {
        personal: 'name email',
        code: 'role status joined_by',
        other: 'id organization_id account_id created_at updated_at',
      }),
      about: 't.account_id = :account',
      exported: { file: 'organizations' },
      erased: {
        by: 'empty',
        columns: { status: "'disabled'" },
        kept: 'That an account was in the organization, so that its last owner is known to have left.',
      },
    },
    {
      model: tableWithoutModel('identity.organization_invitations', {
        personal: 'email',
        code: 'role',
        other: 'id organization_id invited_by_account_id created_at expires_at',
      }),
      about: 't.email = (select a.email from identity.accounts a where a.id = :account)',
      exported: { file: 'organization-invitations' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.organization_sessions', {
        digest: 'hash',
        other: 'id organization_id session_id account_id by_sso created_at expires_at ended_at',
      }),
      about: 't.account_id = :account',
      exported: { not: 'Of the sessions of the account, which are exported.' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.api_keys', {
        personal: 'name',
        digest: 'hash',
        token: 'prefix',
        codes: 'scopes',
        other:
          'id uuid account_id workspace_id expires_at last_used_at revoked_at created_at parent_id needed_until',
      }),
      about: 't.account_id = :account',
      exported: { file: 'api-keys' },
      erased: {
        by: 'empty',
        columns: { name: "'erased'", revoked_at: 'coalesce(t.revoked_at, now())' },
        kept: 'The id of an API key, which tokens and sessions refer to.',
      },
    },
    {
      model: tableWithoutModel('identity.oauth_clients', {
        personal: 'name server_url redirect_uris',
        digest: 'secret_hash former_secret_hash registrant_hash',
        token: 'secret_hint',
        codes: 'scopes',
        id: 'client_id',
        other: 'former_secret_until id uuid account_id is_native created_at updated_at last_used_at',
      }),
      about: 't.account_id = :account',
      exported: { file: 'oauth-applications', leftOut: 'former_secret_until' },
      erased: { by: 'delete' },
    },
    {
      model: grants,
      about: 't.account_id = :account',
      exported: { file: 'connected-applications' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.oauth_access_tokens', {
        digest: 'hash',
        code: 'resource',
        codes: 'scopes',
        id: 'grant_id client_id',
        counts: 'payload',
        other: 'id expires_at',
      }),
      about: 't.grant_id in (select grant_id from identity.oauth_grants g where g.account_id = :account)',
      exported: { not: 'Digests of tokens that live for an hour.' },
      erased: { by: 'cascade', from: grants },
    },
    {
      model: tableWithoutModel('identity.oauth_replays', {
        encrypted: 'answer',
        digest: 'hash',
        id: 'client_id grant_id',
        other: 'id expires_at',
      }),
      about: 't.grant_id in (select grant_id from identity.oauth_grants g where g.account_id = :account)',
      exported: { not: 'Encrypted answers, kept for half a minute.' },
      erased: { by: 'cascade', from: grants },
    },
    {
      model: tableWithoutModel('identity.oauth_artifacts', {
        digest: 'hash uid_hash',
        code: 'model',
        id: 'grant_id',
        counts: 'payload',
        other: 'id account_id consumed_at expires_at',
      }),
      about: 't.account_id = :account',
      exported: {
        not: 'Codes, tokens and sessions of the authorization server: digests, with ids and scopes.',
      },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.accounts', {
        personal: 'name email phone avatar_url payment_customer_id',
        code: 'locale timezone',
        other:
          'id uuid email_verified_at phone_verified_at is_superuser enabled signup_workspace_id tos_accepted opted_out created_at updated_at stands_alone',
      }),
      about: 't.id = :account',
      exported: { file: 'account' },
      erased: {
        by: 'empty',
        columns: {
          email_verified_at: 'null',
          phone_verified_at: 'null',
          enabled: 'false',
        },
        kept: 'The id of the account.',
      },
    },
    {
      model: tableWithoutModel('identity.account_acquisitions', {
        personal: 'touch',
        other: 'id account_id recorded_at',
      }),
      about: 't.account_id = :account',
      exported: { file: 'acquisition' },
      erased: { by: 'delete' },
    },
    {
      model: tableWithoutModel('identity.account_idempotency_keys', {
        personal: 'answer',
        digest: 'digest fingerprint',
        code: 'operation',
        codes: 'grants',
        other: 'id status resource_id created_at',
      }),
      about: `t.answer ~ ('"uuid":"' || (select uuid from identity.accounts a where a.id = :account) || '"')`,
      exported: { not: 'Copies of answers, kept for a day.' },
      walked: { bytesOf: 'answer' },
      erased: { by: 'empty' },
    },
    {
      model: tableWithoutModel('identity.site_visitors', {
        digest: 'hash',
        other:
          'id workspace_id site_id member_id chat_id session_id created_at last_used_at expires_at ended_at',
      }),
      about: 't.workspace_id = :workspace and t.member_id = :member',
      exported: { file: 'visits' },
      erased: { by: 'delete' },
    },
  ],
  others: [
    tableWithoutModel('identity.identity_providers', {
      configuration: 'issuer client_id email_domains',
      encrypted: 'client_secret',
      other: 'organization_id created_at updated_at',
    }),
    tableWithoutModel('identity.oauth_keys', {
      encrypted: 'private_key',
      id: 'kid',
      other: 'id created_at signs_from expires_at',
    }),
    tableWithoutModel('identity.oauth_subject_keys', { encrypted: 'subject_key', other: 'id created_at' }),
    tableWithoutModel('identity.code_opt_outs', {
      configuration: 'recipient sender',
      other: 'opted_out_at heard_at',
    }),
    tableWithoutModel('identity.carrier_cursors', { code: 'account', other: 'taken_until updated_at' }),
    tableWithoutModel('identity.inbox_routes', {
      configuration: 'address',
      other: 'inbox_uuid workspace_id inbox_id',
    }),
    // A host is known by a digest, and belongs to no person.
    tableWithoutModel('identity.crawl_hosts', { digest: 'host_hash', other: 'free_at held_until' }),
    tableWithoutModel('identity.site_crawl_schedules', {
      code: 'interval skip_reason',
      other:
        'workspace_id site_id due_at set_by_member_id set_api_key_id set_oauth_grant_id last_started_at last_skipped_at created_at updated_at',
    }),
    tableWithoutModel('identity.site_domains', {
      configuration: 'domain',
      code: 'failure',
      id: 'challenge',
      other:
        'id workspace_id site_id proved_at checked_at failing_since lapsed_at check_at created_at updated_at',
    }),
    tableWithoutModel('identity.site_versions', { other: 'site_id site_uuid version workspace_id' }),
    tableWithoutModel('identity.login_limits', { digest: 'key', other: 'count expires_at' }),
    tableWithoutModel('identity.phone_number_pool', {
      configuration: 'number',
      code: 'purpose source',
      other: 'id workspace_id created_at',
    }),
    tableWithoutModel('identity.phone_number_routes', {
      configuration: 'number',
      other: 'workspace_id phone_number_id',
    }),
    tableWithoutModel('identity.walks', { code: 'name', counts: 'place', other: 'looked_from looked_until' }),
    tableWithoutModel('identity.workspaces', {
      configuration: 'name slug recording_notice voice_identity business_hours postal_address',
      code: 'default_region locale timezone recording_consent',
      codes: 'allowed_origins call_countries sms_countries request_hosts',
      counts: 'handoff_notices quiet_hours',
      other:
        'id uuid created_at updated_at created_by_account_id chat_retention_days file_retention_days calls_per_day workspace_calls_per_day sms_per_day record_calls recording_retention_days organization_id audit_retention_days',
    }),
    tableWithoutModel('identity.organizations', {
      configuration: 'name slug join_domains',
      code: 'public_path',
      other:
        'id uuid anyone_may_join sso_only logo_workspace_id logo_file_id created_by_account_id created_at updated_at',
    }),
  ],
};
