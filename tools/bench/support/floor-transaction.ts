import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/**
 * Runs `work` in a transaction under the row-level security of a workspace, with as many connections as the service.
 */
export async function inWorkspace<T>(
  workspaceId: number | string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local app.workspace_id = '${Number(workspaceId)}'`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    client.release();
  }
}
