import pg from 'pg';

/** Does what autovacuum would do for the tables of records; it is off while they are filled. */
export const analyzeRecords = (superuserUrl: string) =>
  asSuperuser(superuserUrl, 'vacuum analyze data_records, data_record_values');

/**
 * Gathers the statistics that autovacuum gathers within a minute in a database in use. Without them PostgreSQL plans
 * for empty tables and may choose an unsuitable index for foreign key checks.
 */
export const gatherStatistics = (superuserUrl: string) => asSuperuser(superuserUrl, 'analyze');

async function asSuperuser(superuserUrl: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}
