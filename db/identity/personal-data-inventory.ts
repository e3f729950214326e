import type { PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { AccountModel } from './models/account.js';
import { AcquisitionModel } from './models/acquisition.js';
import { ApiKeyModel } from './models/api-key.js';
import {
  AccountAuditEventModel,
  AuditEventModel,
  OrganizationAuditEventModel,
} from './models/audit-event.js';
import { CodeOptOutModel } from './models/code-opt-out.js';
import { CrawlHostModel } from './models/crawl-host.js';
import { CrawlScheduleModel } from './models/crawl-schedule.js';
import { ExternalIdentityModel } from './models/external-identity.js';
import { AccountIdempotencyKeyModel } from './models/idempotency-key.js';
import { IdentityProviderModel } from './models/identity-provider.js';
import { InboxRouteModel } from './models/inbox-route.js';
import { LoginCodeModel } from './models/login-code.js';
import { LoginLimitModel } from './models/login-limit.js';
import { MemberTokenModel } from './models/member-token.js';
import { MembershipModel } from './models/membership.js';
import { OAuthAccessTokenModel } from './models/oauth-access-token.js';
import { OAuthArtifactModel, OAuthReplayModel } from './models/oauth-artifact.js';
import { OAuthClientModel } from './models/oauth-client.js';
import { OAuthGrantModel } from './models/oauth-grant.js';
import { OAuthKeyModel, OAuthSubjectKeyModel } from './models/oauth-key.js';
import { OrganizationModel } from './models/organization.js';
import { OrganizationInvitationModel, OrganizationMemberModel } from './models/organization-member.js';
import { OrganizationSessionModel } from './models/organization-session.js';
import { PhoneNumberRouteModel, PoolNumberModel } from './models/phone-number-route.js';
import { SessionModel } from './models/session.js';
import { SiteDomainModel } from './models/site-domain.js';
import { SiteVersionModel } from './models/site-version.js';
import { SiteVisitorModel } from './models/site-visitor.js';
import { CarrierCursorModel, WalkModel } from './models/walk.js';
import { WorkspaceModel } from './models/workspace.js';

/** What the tables of this area hold of a person. */
export const identityTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: AuditEventModel,
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
      model: AccountAuditEventModel,
      about: 't.account_id = :account',
      exported: { file: 'account-audit-events' },
      erased: { by: 'delete' },
    },
    {
      model: OrganizationAuditEventModel,
      about: 't.actor_account_id = :account',
      exported: { file: 'organization-audit-events' },
      erased: {
        by: 'empty',
        kept: 'Who did what and when, by ids, in the audit log of the organization.',
      },
    },
    {
      model: SessionModel,
      about: '(t.workspace_id = :workspace and t.member_id = :member or t.account_id = :account)',
      exported: { file: 'sessions' },
      erased: { by: 'delete' },
    },
    {
      model: MemberTokenModel,
      about: 't.workspace_id = :workspace and t.member_id = :member',
      exported: { file: 'sign-in-tokens' },
      erased: { by: 'delete' },
    },
    {
      model: LoginCodeModel,
      about:
        '(t.claimant_workspace_id = :workspace and t.claimant_member_id = :member or t.account_id = :account or t.for_account_id = :account)',
      exported: { file: 'login-codes' },
      erased: { by: 'delete' },
    },
    {
      model: MembershipModel,
      about: 't.workspace_id = :workspace and t.member_id = :member',
      exported: { file: 'membership' },
      erased: { by: 'begin', what: 'Removed when the erasure begins.' },
    },
    {
      model: ExternalIdentityModel,
      about: 't.account_id = :account',
      exported: { file: 'external-identities' },
      erased: { by: 'delete' },
    },
    {
      model: OrganizationMemberModel,
      about: 't.account_id = :account',
      exported: { file: 'organizations' },
      erased: {
        by: 'empty',
        columns: { status: "'disabled'" },
        kept: 'That an account was in the organization, so that its last owner is known to have left.',
      },
    },
    {
      model: OrganizationInvitationModel,
      about: 't.email = (select a.email from identity.accounts a where a.id = :account)',
      exported: { file: 'organization-invitations' },
      erased: { by: 'delete' },
    },
    {
      model: OrganizationSessionModel,
      about: 't.account_id = :account',
      exported: { not: 'Of the sessions of the account, which are exported.' },
      erased: { by: 'delete' },
    },
    {
      model: ApiKeyModel,
      about: 't.account_id = :account',
      exported: { file: 'api-keys' },
      erased: {
        by: 'empty',
        columns: { name: "'erased'", revoked_at: 'coalesce(t.revoked_at, now())' },
        kept: 'The id of an API key, which tokens and sessions refer to.',
      },
    },
    {
      model: OAuthClientModel,
      about: 't.account_id = :account',
      exported: { file: 'oauth-applications', leftOut: 'former_secret_until' },
      erased: { by: 'delete' },
    },
    {
      model: OAuthGrantModel,
      about: 't.account_id = :account',
      exported: { file: 'connected-applications' },
      erased: { by: 'delete' },
    },
    {
      model: OAuthAccessTokenModel,
      about: 't.grant_id in (select grant_id from identity.oauth_grants g where g.account_id = :account)',
      exported: { not: 'Digests of tokens that live for an hour.' },
      erased: { by: 'cascade', from: OAuthGrantModel },
    },
    {
      model: OAuthReplayModel,
      about: 't.grant_id in (select grant_id from identity.oauth_grants g where g.account_id = :account)',
      exported: { not: 'Encrypted answers, kept for half a minute.' },
      erased: { by: 'cascade', from: OAuthGrantModel },
    },
    {
      model: OAuthArtifactModel,
      about: 't.account_id = :account',
      exported: {
        not: 'Codes, tokens and sessions of the authorization server: digests, with ids and scopes.',
      },
      erased: { by: 'delete' },
    },
    {
      model: AccountModel,
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
      model: AcquisitionModel,
      about: 't.account_id = :account',
      exported: { file: 'acquisition' },
      erased: { by: 'delete' },
    },
    {
      model: AccountIdempotencyKeyModel,
      about: `t.answer ~ ('"uuid":"' || (select uuid from identity.accounts a where a.id = :account) || '"')`,
      exported: { not: 'Copies of answers, kept for a day.' },
      walked: { bytesOf: 'answer' },
      erased: { by: 'empty' },
    },
    {
      model: SiteVisitorModel,
      about: 't.workspace_id = :workspace and t.member_id = :member',
      exported: { file: 'visits' },
      erased: { by: 'delete' },
    },
  ],
  others: [
    IdentityProviderModel,
    OAuthKeyModel,
    OAuthSubjectKeyModel,
    CodeOptOutModel,
    CarrierCursorModel,
    InboxRouteModel,
    // A host is known by a digest, and belongs to no person.
    CrawlHostModel,
    CrawlScheduleModel,
    SiteDomainModel,
    SiteVersionModel,
    LoginLimitModel,
    PoolNumberModel,
    PhoneNumberRouteModel,
    WalkModel,
    WorkspaceModel,
    OrganizationModel,
  ],
};
