import pg from 'pg';

/** Leaves the tables of records as autovacuum would: it is off while they are filled. */
export async function analyzeRecords(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query('vacuum analyze data_records, data_record_values');
  await client.end();
}
