import { column, type ValuesOf } from '../lib/table.js';
import type { IdentityTx } from '../tx.js';
import { aliases, columns, IdentityTable } from './columns.js';

const fields = {
  id: column<number>(),
  organizationId: column<number>(),
  issuer: column<string>(),
  subject: column<string>(),
  accountId: column<number>(),
};

/** A person as the identity provider of an organization knows it. It says nothing outside of that organization. */
export type ExternalIdentityRow = ValuesOf<typeof fields>;

const table = 'identity.external_identities';

export class ExternalIdentitiesTable extends IdentityTable {
  async find(
    identity: Pick<ExternalIdentityRow, 'organizationId' | 'issuer' | 'subject'>,
    tx: IdentityTx,
  ): Promise<ExternalIdentityRow | undefined> {
    const { organizationId, issuer, subject } = identity;
    return tx(table).select(aliases(fields)).where(columns({ organizationId, issuer, subject })).first();
  }

  async insert(identity: Omit<ExternalIdentityRow, 'id'>, at: Date, tx: IdentityTx): Promise<void> {
    await tx(table).insert(columns({ ...identity, createdAt: at, lastUsedAt: at }));
  }

  async touch(id: number, at: Date, tx: IdentityTx): Promise<void> {
    await tx(table).where({ id }).update({ last_used_at: at });
  }
}
