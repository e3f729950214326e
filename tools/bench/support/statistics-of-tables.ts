import { queryOnce } from '../../../test/support/db/connect.js';

/** Does what autovacuum would do for the tables of records; it is off while they are filled. */
export const analyzeRecords = (superuserUrl: string) =>
  queryOnce(superuserUrl, 'vacuum analyze data_records, data_record_values');

/**
 * Gathers the statistics that autovacuum gathers within a minute in a database in use. Without them PostgreSQL plans
 * for empty tables and may choose an unsuitable index for foreign key checks.
 */
export async function gatherStatistics(superuserUrl: string): Promise<void> {
  await queryOnce(superuserUrl, 'analyze');
}
