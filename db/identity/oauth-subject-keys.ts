import { IdentityTable } from './identity-table.js';
import { OAuthSubjectKeyModel } from './models/oauth-key.js';

/** The one key of the pseudonyms in ID tokens, which all processes share. */
export class OAuthSubjectKeys extends IdentityTable {
  /** @returns the encrypted key; undefined until there is one */
  async find(): Promise<Buffer | undefined> {
    return (await OAuthSubjectKeyModel.first(this.knex, 'true'))?.subjectKey;
  }

  /** Stores the key, unless there is one. */
  async insert(encrypted: Buffer, at: Date): Promise<void> {
    await OAuthSubjectKeyModel.insertOnce(this.knex, { subjectKey: encrypted, createdAt: at }, ['id']);
  }
}
