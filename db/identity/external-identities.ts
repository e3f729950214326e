import type { IdentityTx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { ExternalIdentityModel, type ExternalIdentityRow } from './models/external-identity.js';

type Known = Pick<ExternalIdentityRow, 'organizationId' | 'issuer' | 'subject'>;

export class ExternalIdentitiesTable extends IdentityTable {
  async find(
    { organizationId, issuer, subject }: Known,
    tx: IdentityTx,
  ): Promise<ExternalIdentityRow | undefined> {
    const isKnown = 'organization_id = ? and issuer = ? and subject = ?';
    return ExternalIdentityModel.first(tx, isKnown, [organizationId, issuer, subject]);
  }

  async insert(identity: Known & { accountId: number }, at: Date, tx: IdentityTx): Promise<void> {
    await ExternalIdentityModel.insert(tx, { ...identity, createdAt: at, lastUsedAt: at });
  }

  async touch(id: number, at: Date, tx: IdentityTx): Promise<void> {
    await ExternalIdentityModel.updateWhere(tx, { lastUsedAt: at }, 'id = ?', [id]);
  }
}
