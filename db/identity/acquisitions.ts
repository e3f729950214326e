import type { Knex } from 'knex';
import { IdentityTable } from './identity-table.js';
import { AcquisitionModel, type AcquisitionRow } from './models/acquisition.js';

/** Where accounts have first come from. A row is written once. */
export class AcquisitionsTable extends IdentityTable {
  /** @returns false if the account has one already, also one that is being written: the call waits for that */
  async insertOnce(acquisition: Omit<AcquisitionRow, 'id'>, knex: Knex = this.knex): Promise<boolean> {
    return (await AcquisitionModel.insertOnce(knex, acquisition, ['accountId'])) !== undefined;
  }
}
