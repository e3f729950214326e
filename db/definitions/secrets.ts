import type { Tx } from '../tx.js';
import { SecretModel, type SecretRow } from './models/secret.js';

export type { SecretRow } from './models/secret.js';

export async function insertSecretRow(tx: Tx, values: Partial<SecretRow>): Promise<SecretRow> {
  return SecretModel.insert(tx, values);
}

/** All secrets of the workspace, by name. */
export async function selectSecrets(tx: Tx): Promise<SecretRow[]> {
  return SecretModel.where(tx, 'true order by name');
}

export async function selectSecretsByName(tx: Tx, names: readonly string[]): Promise<SecretRow[]> {
  return names.length === 0 ? [] : SecretModel.where(tx, 'name = any(?)', [names]);
}

export async function findSecret(tx: Tx, id: number): Promise<SecretRow | undefined> {
  return SecretModel.find(tx, id);
}

export async function lockSecret(tx: Tx, id: number): Promise<SecretRow | undefined> {
  return SecretModel.first(tx, 'id = ? for update', [id]);
}

export async function patchSecret(tx: Tx, id: number, changes: Partial<SecretRow>): Promise<SecretRow> {
  return SecretModel.patch(tx, id, changes);
}

export async function countSecrets(tx: Tx): Promise<number> {
  return SecretModel.count(tx, 'true');
}

/** @returns whether there was one */
export async function removeSecret(tx: Tx, id: number): Promise<boolean> {
  return (await SecretModel.deleteWhere(tx, 'id = ?', [id])) > 0;
}

/**
 * Notes that a host has refused these secrets, unless they have a new value since. @returns the ids of those that were not
 * refused before
 */
export async function recordRefusal(tx: Tx, used: readonly UsedSecret[], now: Date): Promise<number[]> {
  const unchanged = 'id = ? and value_changed_at = ? and refused_at is null';
  const noted = await Promise.all(
    used.map(({ id, valueChangedAt }) =>
      SecretModel.updateReturning(tx, { refusedAt: now }, unchanged, [id, valueChangedAt]),
    ),
  );
  return noted.flat().map(({ id }) => id);
}

/** Notes that a host has taken secrets which were refused before. */
export async function recordTaken(tx: Tx, ids: readonly number[]): Promise<void> {
  await SecretModel.updateWhere(tx, { refusedAt: null }, 'id = any(?) and refused_at is not null', [ids]);
}

/** A secret as a request carried it. */
export type UsedSecret = Pick<SecretRow, 'id' | 'valueChangedAt'>;
