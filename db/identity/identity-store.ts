import type { Knex } from 'knex';
import { AccountsTable } from './accounts.js';
import { ApiKeysTable } from './api-keys.js';
import { MembershipsTable } from './memberships.js';
import { PhoneNumberRoutesTable } from './phone-number-routes.js';
import { WorkspacesTable } from './workspaces.js';

/**
 * What is looked up before a tenant is known: schema `identity`, which stands outside row-level security.
 *
 * Methods that have to be atomic with changes inside a workspace take that workspace's transaction as their
 * last, optional argument; without it they run on their own.
 */
export class IdentityStore {
  readonly workspaces: WorkspacesTable;
  readonly accounts: AccountsTable;
  readonly memberships: MembershipsTable;
  readonly apiKeys: ApiKeysTable;
  readonly phoneNumberRoutes: PhoneNumberRoutesTable;

  constructor(knex: Knex) {
    this.workspaces = new WorkspacesTable(knex);
    this.accounts = new AccountsTable(knex);
    this.memberships = new MembershipsTable(knex);
    this.apiKeys = new ApiKeysTable(knex);
    this.phoneNumberRoutes = new PhoneNumberRoutesTable(knex);
  }
}
