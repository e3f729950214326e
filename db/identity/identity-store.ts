import type { Knex } from 'knex';
import { AccountsTable } from './accounts.js';
import { ApiKeysTable } from './api-keys.js';
import { Claims } from './claims.js';
import { CodeOptOuts } from './code-opt-outs.js';
import { LoginCodesTable } from './login-codes.js';
import { LoginLimitsTable } from './login-limits.js';
import { MemberTokensTable } from './member-tokens.js';
import { MembershipsTable } from './memberships.js';
import { PhoneNumberPoolTable } from './phone-number-pool.js';
import { PhoneNumberRoutesTable } from './phone-number-routes.js';
import { SessionsTable } from './sessions.js';
import { CarrierCursorsTable, WalksTable } from './walks.js';
import { type Transact, WorkspacesTable } from './workspaces.js';

/**
 * The tables that are read before a tenant is known: schema `identity`, outside row-level security. Methods take a
 * workspace's transaction as their last argument to be atomic with changes in it.
 */
export class IdentityStore {
  readonly workspaces: WorkspacesTable;
  readonly accounts: AccountsTable;
  readonly memberships: MembershipsTable;
  readonly claims: Claims;
  readonly apiKeys: ApiKeysTable;
  readonly phoneNumberPool: PhoneNumberPoolTable;
  readonly phoneNumberRoutes: PhoneNumberRoutesTable;
  readonly carrierCursors: CarrierCursorsTable;
  readonly codeOptOuts: CodeOptOuts;
  readonly loginCodes: LoginCodesTable;
  readonly loginLimits: LoginLimitsTable;
  readonly sessions: SessionsTable;
  readonly memberTokens: MemberTokensTable;
  readonly walks: WalksTable;

  constructor(knex: Knex, transact: Transact) {
    this.workspaces = new WorkspacesTable(knex, transact);
    this.accounts = new AccountsTable(knex);
    this.memberships = new MembershipsTable(knex);
    this.claims = new Claims();
    this.apiKeys = new ApiKeysTable(knex);
    this.phoneNumberPool = new PhoneNumberPoolTable(knex);
    this.phoneNumberRoutes = new PhoneNumberRoutesTable(knex);
    this.carrierCursors = new CarrierCursorsTable(knex);
    this.codeOptOuts = new CodeOptOuts();
    this.loginCodes = new LoginCodesTable(knex);
    this.loginLimits = new LoginLimitsTable();
    this.sessions = new SessionsTable(knex);
    this.memberTokens = new MemberTokensTable(knex);
    this.walks = new WalksTable(knex);
  }
}
