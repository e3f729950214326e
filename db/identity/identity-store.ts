import type { Knex } from 'knex';
import { AccountsTable } from './accounts.js';
import { AcquisitionsTable } from './acquisitions.js';
import { ApiKeysTable } from './api-keys.js';
import { Claims } from './claims.js';
import { CodeOptOuts } from './code-opt-outs.js';
import { CrawlHostsTable } from './crawl-hosts.js';
import { CrawlSchedulesTable } from './crawl-schedules.js';
import { ExternalIdentitiesTable } from './external-identities.js';
import { IdentityProvidersTable } from './identity-providers.js';
import { InboxRoutesTable } from './inbox-routes.js';
import { LoginCodesTable } from './login-codes.js';
import { LoginLimitsTable } from './login-limits.js';
import { MemberTokensTable } from './member-tokens.js';
import { MembershipsTable } from './memberships.js';
import { OAuthAccessTokensTable } from './oauth-access-tokens.js';
import { OAuthArtifactsTable } from './oauth-artifacts.js';
import { OAuthClientsTable } from './oauth-clients.js';
import { OAuthGrantsTable } from './oauth-grants.js';
import { OAuthKeysTable } from './oauth-keys.js';
import { OAuthRefreshes } from './oauth-refreshes.js';
import { OAuthSubjectKeys } from './oauth-subject-keys.js';
import { OrganizationInvitationsTable } from './organization-invitations.js';
import { OrganizationMembersTable } from './organization-members.js';
import { OrganizationSessionsTable } from './organization-sessions.js';
import { OrganizationsTable } from './organizations.js';
import { PhoneNumberPoolTable } from './phone-number-pool.js';
import { PhoneNumberRoutesTable } from './phone-number-routes.js';
import { SessionsTable } from './sessions.js';
import { SiteDomainsTable } from './site-domains.js';
import { SiteVersions } from './site-versions.js';
import { SiteVisitorsTable } from './site-visitors.js';
import { CarrierCursorsTable, WalksTable } from './walks.js';
import { type Transact, WorkspacesTable } from './workspaces.js';

/**
 * The tables that are read before a tenant is known: schema `identity`, outside row-level security. Methods take a
 * workspace's transaction as their last argument to be atomic with changes in it.
 */
export const identityStore = (knex: Knex, transact: Transact) => ({
  workspaces: new WorkspacesTable(knex, transact),
  accounts: new AccountsTable(knex),
  acquisitions: new AcquisitionsTable(knex),
  memberships: new MembershipsTable(knex),
  claims: new Claims(),
  apiKeys: new ApiKeysTable(knex),
  organizations: new OrganizationsTable(knex),
  organizationMembers: new OrganizationMembersTable(knex),
  organizationInvitations: new OrganizationInvitationsTable(knex),
  identityProviders: new IdentityProvidersTable(knex),
  externalIdentities: new ExternalIdentitiesTable(knex),
  organizationSessions: new OrganizationSessionsTable(knex),
  phoneNumberPool: new PhoneNumberPoolTable(knex),
  phoneNumberRoutes: new PhoneNumberRoutesTable(knex),
  carrierCursors: new CarrierCursorsTable(knex),
  codeOptOuts: new CodeOptOuts(),
  crawlHosts: new CrawlHostsTable(knex),
  crawlSchedules: new CrawlSchedulesTable(knex),
  inboxRoutes: new InboxRoutesTable(knex),
  loginCodes: new LoginCodesTable(knex),
  loginLimits: new LoginLimitsTable(),
  siteDomains: new SiteDomainsTable(knex),
  siteVersions: new SiteVersions(knex),
  siteVisitors: new SiteVisitorsTable(knex),
  sessions: new SessionsTable(knex),
  memberTokens: new MemberTokensTable(knex),
  oauthClients: new OAuthClientsTable(knex),
  oauthGrants: new OAuthGrantsTable(knex),
  oauthAccessTokens: new OAuthAccessTokensTable(knex),
  oauthArtifacts: new OAuthArtifactsTable(knex),
  oauthKeys: new OAuthKeysTable(knex),
  oauthRefreshes: new OAuthRefreshes(knex),
  oauthSubjectKeys: new OAuthSubjectKeys(knex),
  walks: new WalksTable(knex),
});

export type IdentityStore = ReturnType<typeof identityStore>;
