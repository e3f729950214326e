import pg from 'pg';
import { closeConnection, connectionSettings, migrationLimits } from '../connection-settings.js';
import { type EncryptedColumn, encryptedColumns } from './encrypted-columns.js';
import { type ReEncrypted, type Renew, reEncryptColumn } from './re-encrypt-column.js';

/** Encrypts every encrypted column anew (`reEncryptColumn`), one after the other. */
export async function reEncryptColumns(
  migratorUrl: string,
  renew: Renew,
): Promise<(EncryptedColumn & ReEncrypted)[]> {
  const client = new pg.Client(connectionSettings(migratorUrl, 'wes-re-encrypt', migrationLimits));
  await client.connect();
  try {
    const all: (EncryptedColumn & ReEncrypted)[] = [];
    for (const column of encryptedColumns) {
      all.push({ ...column, ...(await reEncryptColumn(client, renew, column)) });
    }
    return all;
  } finally {
    await closeConnection(client);
  }
}
