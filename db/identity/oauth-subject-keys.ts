import { IdentityTable } from './columns.js';

const table = 'identity.oauth_subject_keys';

/** The one key of the pseudonyms in ID tokens, which all processes share. */
export class OAuthSubjectKeys extends IdentityTable {
  /** @returns the encrypted key; undefined until there is one */
  async find(): Promise<Buffer | undefined> {
    const found: { subject_key: Buffer } | undefined = await this.knex(table).select('subject_key').first();
    return found?.subject_key;
  }

  /** Stores the key, unless there is one. */
  async insert(encrypted: Buffer, at: Date): Promise<void> {
    await this.knex(table).insert({ subject_key: encrypted, created_at: at }).onConflict('id').ignore();
  }
}
