import { changedBy } from '../statement.js';
import type { AnyTx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { IdentityProviderModel, type IdentityProviderRow } from './models/identity-provider.js';

export class IdentityProvidersTable extends IdentityTable {
  async find(organizationId: number, tx?: AnyTx): Promise<IdentityProviderRow | undefined> {
    return IdentityProviderModel.first(tx ?? this.knex, 'organization_id = ?', [organizationId]);
  }

  /** Stores the provider of an organization; one that replaces another has the time at which the first one was created. */
  async put(provider: IdentityProviderRow, tx: AnyTx): Promise<void> {
    const { organizationId, issuer, clientId, clientSecret, emailDomains, createdAt, updatedAt } = provider;
    await changedBy(
      tx,
      `insert into identity.identity_providers
         (organization_id, issuer, client_id, client_secret, email_domains, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (organization_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
         client_secret = excluded.client_secret, email_domains = excluded.email_domains,
         updated_at = excluded.updated_at`,
      [organizationId, issuer, clientId, clientSecret, emailDomains, createdAt, updatedAt],
    );
  }

  async remove(organizationId: number, tx: AnyTx): Promise<boolean> {
    return (await IdentityProviderModel.deleteWhere(tx, 'organization_id = ?', [organizationId])) > 0;
  }
}
