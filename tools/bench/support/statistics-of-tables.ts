import pg from 'pg';

/** Does what autovacuum would do for the tables of records; it is off while they are filled. */
export async function analyzeRecords(superuserUrl: string): Promise<void> {
  await run(superuserUrl, 'vacuum analyze data_records, data_record_values');
}

/**
 * Gathers the statistics that autovacuum gathers within a minute in a database in use. Without them PostgreSQL plans
 * for empty tables and may choose an unsuitable index for foreign key checks.
 */
export async function gatherStatistics(superuserUrl: string): Promise<void> {
  await run(superuserUrl, 'analyze');
}

async function run(superuserUrl: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}
