import type { Knex } from 'knex';
import { prepared } from '../statement.js';
import { IdentityTable } from './columns.js';

export interface Acquisition {
  accountId: number;
  /** Values by the names that the domain allows. */
  touch: Readonly<Record<string, string>>;
  recordedAt: Date;
}

/** Where accounts have first come from. A row is written once. */
export class AcquisitionsTable extends IdentityTable {
  /** @returns false if the account has one already, also one that is being written: the call waits for that */
  async insertOnce({ accountId, touch, recordedAt }: Acquisition, knex: Knex = this.knex): Promise<boolean> {
    const inserted = await prepared(
      knex,
      `insert into identity.account_acquisitions (account_id, touch, recorded_at) values (?, ?::jsonb, ?)
       on conflict (account_id) do nothing returning account_id`,
      [accountId, JSON.stringify(touch), recordedAt],
    );
    return inserted.length > 0;
  }
}
