import pg from 'pg';

/** Leaves the tables of records as autovacuum would: it is off while they are filled. */
export async function analyzeRecords(superuserUrl: string): Promise<void> {
  await run(superuserUrl, 'vacuum analyze data_records, data_record_values');
}

/**
 * Gathers the statistics that autovacuum gathers within a minute in a database that is in use. Without them PostgreSQL
 * plans for empty tables and checks foreign keys by whatever index comes first.
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
