import type { PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const identityTables: PersonTables = {
  'public.audit_events': {
    personal: 'address user_agent request_id',
    rest: 'id workspace_id created_at action credential_kind credential_id subject_type subject_id names count sampled_hour actor_member_id',
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
  'identity.audit_events': {
    personal: 'address user_agent request_id',
    rest: 'id account_id created_at action credential_kind credential_id subject_type subject_id names count sampled_hour',
    about: 't.account_id = :account',
    exported: { file: 'account-audit-events' },
    erased: { by: 'delete' },
  },
  'identity.organization_audit_events': {
    personal: 'address user_agent request_id',
    rest: 'id organization_id actor_account_id actor_member_id created_at action credential_kind credential_id subject_type subject_id names count sampled_hour',
    about: 't.actor_account_id = :account',
    exported: { file: 'organization-audit-events' },
    erased: {
      by: 'empty',
      columns: { address: 'null', user_agent: 'null', request_id: 'null' },
      kept: 'Who did what and when, by ids, in the audit log of the organization.',
    },
  },
  'identity.sessions': {
    personal: 'user_agent',
    secret: 'hash',
    rest: 'id uuid account_id workspace_id member_id created_at last_used_at expires_at ended_at role_grants granted api_key_id organization_id sealed_at',
    about: '(t.workspace_id = :workspace and t.member_id = :member or t.account_id = :account)',
    exported: { file: 'sessions' },
    erased: { by: 'delete' },
  },
  'identity.member_tokens': {
    secret: 'hash',
    rest: 'id workspace_id member_id expires_at used_at created_at role_grants granted api_key_id sealed_at',
    about: 't.workspace_id = :workspace and t.member_id = :member',
    exported: { file: 'sign-in-tokens' },
    erased: { by: 'delete' },
  },
  'identity.login_codes': {
    personal: 'new_address',
    secret: 'identifier_hash requester_hash nonce claim_token',
    rest: 'id uuid account_id channel wrong_tries expires_at superseded_at used_at claimed_at sent_at failure_reason created_at claimant_workspace_id claimant_member_id for_account_id',
    about:
      '(t.claimant_workspace_id = :workspace and t.claimant_member_id = :member or t.account_id = :account or t.for_account_id = :account)',
    exported: { file: 'login-codes' },
    erased: { by: 'delete' },
  },
  'identity.memberships': {
    personal: 'support_reason',
    rest: 'workspace_id member_id account_id created_at is_support account_alias tos_accepted support_ends_at',
    about: 't.workspace_id = :workspace and t.member_id = :member',
    exported: { file: 'membership' },
    erased: { by: 'begin', what: 'Removed when the erasure begins.' },
  },
  'identity.identity_providers': {
    configuration: 'issuer client_id email_domains',
    secret: 'client_secret',
    rest: 'organization_id created_at updated_at',
  },
  'identity.external_identities': {
    personal: 'subject',
    rest: 'id organization_id issuer account_id created_at last_used_at',
    about: 't.account_id = :account',
    exported: { file: 'external-identities' },
    erased: { by: 'delete' },
  },
  'identity.organization_members': {
    personal: 'name email',
    rest: 'id organization_id account_id role status joined_by created_at updated_at',
    about: 't.account_id = :account',
    exported: { file: 'organizations' },
    erased: {
      by: 'empty',
      columns: { name: 'null', email: 'null', status: "'disabled'" },
      kept: 'That an account was in the organization, so that its last owner is known to have left.',
    },
  },
  'identity.organization_invitations': {
    personal: 'email',
    rest: 'id organization_id role invited_by_account_id created_at expires_at',
    about: 't.email = (select a.email from identity.accounts a where a.id = :account)',
    exported: { file: 'organization-invitations' },
    erased: { by: 'delete' },
  },
  'identity.organization_sessions': {
    secret: 'hash',
    rest: 'id organization_id session_id account_id by_sso created_at expires_at ended_at',
    about: 't.account_id = :account',
    exported: { not: 'Of the sessions of the account, which are exported.' },
    erased: { by: 'delete' },
  },
  'identity.api_keys': {
    personal: 'name',
    secret: 'hash prefix',
    rest: 'id uuid account_id workspace_id scopes expires_at last_used_at revoked_at created_at parent_id needed_until',
    about: 't.account_id = :account',
    exported: { file: 'api-keys' },
    erased: {
      by: 'empty',
      columns: { name: "'erased'", revoked_at: 'coalesce(t.revoked_at, now())' },
      kept: 'The id of an API key, which tokens and sessions refer to.',
    },
  },
  'identity.oauth_clients': {
    personal: 'name server_url redirect_uris',
    secret: 'secret_hash secret_hint former_secret_hash former_secret_until registrant_hash',
    rest: 'id uuid client_id account_id scopes is_native created_at updated_at last_used_at',
    about: 't.account_id = :account',
    exported: { file: 'oauth-applications' },
    erased: { by: 'delete' },
  },
  'identity.oauth_grants': {
    personal: 'client_name',
    rest: 'id uuid grant_id account_id workspace_id client_id scopes resource created_at expires_at last_used_at revoked_at revoked_by',
    about: 't.account_id = :account',
    exported: { file: 'connected-applications' },
    erased: { by: 'delete' },
  },
  'identity.oauth_access_tokens': {
    secret: 'hash',
    rest: 'id grant_id client_id scopes resource payload expires_at',
    about: 't.grant_id in (select grant_id from identity.oauth_grants g where g.account_id = :account)',
    exported: { not: 'Digests of tokens that live for an hour.' },
    erased: { by: 'cascade', from: 'identity.oauth_grants' },
  },
  'identity.oauth_replays': {
    secret: 'hash answer',
    rest: 'id client_id grant_id expires_at',
    about: 't.grant_id in (select grant_id from identity.oauth_grants g where g.account_id = :account)',
    exported: { not: 'Encrypted answers, kept for half a minute.' },
    erased: { by: 'cascade', from: 'identity.oauth_grants' },
  },
  'identity.oauth_artifacts': {
    secret: 'hash uid_hash',
    rest: 'id model grant_id account_id payload consumed_at expires_at',
    about: 't.account_id = :account',
    exported: {
      not: 'Codes, tokens and sessions of the authorization server: digests, with ids and scopes.',
    },
    erased: { by: 'delete' },
  },
  'identity.oauth_keys': {
    secret: 'private_key',
    rest: 'id kid created_at signs_from expires_at',
  },
  'identity.oauth_subject_keys': { secret: 'subject_key', rest: 'id created_at' },
  'identity.accounts': {
    personal: 'name email phone avatar_url payment_customer_id',
    rest: 'id uuid email_verified_at phone_verified_at is_superuser enabled signup_workspace_id tos_accepted opted_out locale timezone created_at updated_at stands_alone',
    about: 't.id = :account',
    exported: { file: 'account' },
    erased: {
      by: 'empty',
      columns: {
        name: 'null',
        email: 'null',
        phone: 'null',
        email_verified_at: 'null',
        phone_verified_at: 'null',
        avatar_url: 'null',
        payment_customer_id: 'null',
        enabled: 'false',
      },
      kept: 'The id of the account.',
    },
  },
  'identity.account_acquisitions': {
    personal: 'touch',
    rest: 'id account_id recorded_at',
    about: 't.account_id = :account',
    exported: { file: 'acquisition' },
    erased: { by: 'delete' },
  },
  'identity.account_idempotency_keys': {
    personal: 'answer',
    secret: 'digest fingerprint',
    rest: 'id operation status resource_id created_at grants',
    about: `t.answer ~ ('"uuid":"' || (select uuid from identity.accounts a where a.id = :account) || '"')`,
    exported: { not: 'Copies of answers, kept for a day.' },
    walked: { bytesOf: 'answer' },
    erased: { by: 'empty', columns: { answer: 'null' } },
  },
  'identity.code_opt_outs': {
    configuration: 'recipient sender',
    rest: 'opted_out_at heard_at',
  },
  'identity.carrier_cursors': {
    rest: 'account taken_until updated_at',
  },
  'identity.inbox_routes': {
    configuration: 'address',
    rest: 'inbox_uuid workspace_id inbox_id',
  },
  // A host is known by a digest, and belongs to no person.
  'identity.crawl_hosts': {
    rest: 'host_hash free_at held_until',
  },
  'identity.site_crawl_schedules': {
    rest: 'workspace_id site_id interval due_at set_by_member_id set_api_key_id set_oauth_grant_id last_started_at last_skipped_at skip_reason created_at updated_at',
  },
  'identity.site_domains': {
    configuration: 'domain',
    rest: 'id workspace_id site_id challenge proved_at checked_at failure failing_since lapsed_at check_at created_at updated_at',
  },
  'identity.site_versions': {
    rest: 'site_id site_uuid version workspace_id',
  },
  'identity.site_visitors': {
    secret: 'hash',
    rest: 'id workspace_id site_id member_id chat_id session_id created_at last_used_at expires_at ended_at',
    about: 't.workspace_id = :workspace and t.member_id = :member',
    exported: { file: 'visits' },
    erased: { by: 'delete' },
  },
  'identity.login_limits': {
    secret: 'key',
    rest: 'count expires_at',
  },
  'identity.phone_number_pool': {
    configuration: 'number',
    rest: 'id workspace_id purpose source created_at',
  },
  'identity.phone_number_routes': {
    configuration: 'number',
    rest: 'workspace_id phone_number_id',
  },
  'identity.walks': {
    rest: 'name place looked_from looked_until',
  },
  'identity.workspaces': {
    configuration: 'name slug recording_notice voice_identity business_hours postal_address',
    rest: 'id uuid default_region locale timezone created_at updated_at created_by_account_id allowed_origins chat_retention_days file_retention_days call_countries calls_per_day workspace_calls_per_day sms_countries sms_per_day record_calls recording_retention_days recording_consent handoff_notices request_hosts quiet_hours organization_id audit_retention_days',
  },
  'identity.organizations': {
    configuration: 'name slug join_domains',
    rest: 'id uuid anyone_may_join sso_only public_path logo_workspace_id logo_file_id created_by_account_id created_at updated_at',
  },
};
