import type { Person } from '../../db/lib/personal-data-inventory.js';
import { personTables } from '../../db/person-data/catalogue.js';
import { eraseRows } from '../../db/person-data/erase-rows.js';
import type { Tx } from '../../db/tx.js';

/** Erases all that a table holds of a person, in this transaction: for tables that hold little of each. */
export async function eraseTable(tx: Tx, name: string, person: Person): Promise<void> {
  const table = personTables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`${name} declares nothing of persons`);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const batch = await eraseRows(tx, table, person, after);
    after = batch.next;
  }
}
