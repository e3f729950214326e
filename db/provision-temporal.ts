import pg from 'pg';

const role = 'temporal';
/** The names that Temporal's images use. */
const databases = ['temporal', 'temporal_visibility'];

/**
 * Creates a role and two databases for a Temporal server that stores its state on the same PostgreSQL, so that the
 * server's role cannot read the service's data. Tables that the server of an earlier release created as a superuser are
 * given to the role. May be run repeatedly.
 *
 * @param superuserUrl a connection that may create roles and databases
 */
export async function provisionTemporal(superuserUrl: string, password: string): Promise<void> {
  await connected(superuserUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('wes provision temporal'))`);
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    // Utility statements take no parameters.
    await client.query(
      `${rowCount === 0 ? 'create' : 'alter'} role ${role}
         login nosuperuser nobypassrls nocreatedb nocreaterole password ${client.escapeLiteral(password)}`,
    );
    await client.query(`grant ${role} to current_user`);
    for (const database of databases) await provisionDatabase(client, superuserUrl, database);
  });
}

async function provisionDatabase(client: pg.Client, superuserUrl: string, database: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  if (rowCount === 0) await client.query(`create database ${database} owner ${role}`);
  else await client.query(`alter database ${database} owner to ${role}`);
  await client.query(`revoke all on database ${database} from public`);
  const inside = new URL(superuserUrl);
  inside.pathname = `/${database}`;
  await connected(inside.href, async (there) => {
    await there.query(`
      do $$
      declare made record;
      begin
        for made in
          select format('alter table %I.%I owner to ${role}', schemaname, tablename) as change
          from pg_tables where schemaname = 'public' and tableowner <> '${role}'
        loop
          execute made.change;
        end loop;
      end $$;
      alter schema public owner to ${role};
    `);
  });
}

async function connected(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
