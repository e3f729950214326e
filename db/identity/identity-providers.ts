import { column, type ValuesOf } from '../lib/table.js';
import type { AnyTx } from '../tx.js';
import { aliases, columns, IdentityTable } from './columns.js';

const fields = {
  organizationId: column<number>(),
  /** As the provider calls itself (OpenID Connect Discovery 1.0, 4.3). */
  issuer: column<string>(),
  clientId: column<string>(),
  /** Encrypted. */
  clientSecret: column<Buffer>(),
  /** People with addresses of other domains are refused; empty: none is. */
  emailDomains: column<string[]>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

/** The identity provider of an organization. */
export type IdentityProviderRow = ValuesOf<typeof fields>;

const table = 'identity.identity_providers';

export class IdentityProvidersTable extends IdentityTable {
  async find(organizationId: number, tx?: AnyTx): Promise<IdentityProviderRow | undefined> {
    return (tx ?? this.knex)(table).select(aliases(fields)).where(columns({ organizationId })).first();
  }

  async put(provider: IdentityProviderRow, tx: AnyTx): Promise<void> {
    const { createdAt: _, ...changes } = provider;
    await tx(table).insert(columns(provider)).onConflict('organization_id').merge(columns(changes));
  }

  async remove(organizationId: number, tx: AnyTx): Promise<boolean> {
    return (await tx(table).where(columns({ organizationId })).delete()) > 0;
  }
}
