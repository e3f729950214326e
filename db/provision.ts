import pg from 'pg';
import { type ConnectionLimits, migrationLimits, relayLimits, serviceLimits } from './connection-settings.js';

/** The roles that the service connects as. None of them is a superuser or bypasses the policies. */
export interface RolePasswords {
  /** Owns the database and migrates it. */
  wes_migrator: string;
  /** The role of the api and the runs: owns nothing and is bound by the policies. */
  wes_app: string;
  /** Reads every workspace's outbox and no other table. A function tells it how long turns of agents have been owed. */
  wes_relay: string;
}

type RoleName = keyof RolePasswords;

const roleLimits: Record<RoleName, ConnectionLimits> = {
  wes_migrator: migrationLimits,
  wes_app: serviceLimits,
  wes_relay: relayLimits,
};
const roleNames = Object.keys(roleLimits) as RoleName[];

interface RoleProvisioning {
  database: string;
  passwords: RolePasswords;
}

/**
 * Creates the roles and the database, or updates existing ones. May be run repeatedly and concurrently.
 * @param superuserUrl a connection that may create roles and databases
 */
export async function provisionRoles(
  superuserUrl: string,
  provisioning: RoleProvisioning,
): Promise<RoleProvisioning> {
  const { database, passwords } = provisioning;
  await connected(superuserUrl, async (client) => {
    // Concurrent runs would both find a role missing. The lock is released with the connection.
    await client.query(`select pg_advisory_lock(hashtext('wes provision roles'))`);
    for (const role of roleNames) {
      await provisionRole(client, role, passwords[role]);
      await limitRole(client, role, roleLimits[role]);
    }
    await provisionSearchRole(client);
    await provisionDatabase(client, database, 'wes_migrator');
    const name = client.escapeIdentifier(database);
    await client.query(`grant connect on database ${name} to ${roleNames.join(', ')}`);
  });
  return provisioning;
}

/** Reads the roles' passwords and the database's name from the connection strings that will use them. */
export function rolesFromUrls(migratorUrl: string, appUrl: string, relayUrl: string): RoleProvisioning {
  const database = decodeURIComponent(new URL(migratorUrl).pathname.slice(1));
  if (database === '') throw new Error('MIGRATOR_DATABASE_URL names no database.');
  return {
    database,
    passwords: {
      wes_migrator: passwordOf(migratorUrl, 'wes_migrator'),
      wes_app: passwordOf(appUrl, 'wes_app'),
      wes_relay: passwordOf(relayUrl, 'wes_relay'),
    },
  };
}

function passwordOf(url: string, role: RoleName): string {
  const { username, password } = new URL(url);
  if (decodeURIComponent(username) !== role) {
    throw new Error(`The connection string for ${role} names another role: ${username}.`);
  }
  if (password === '') throw new Error(`The connection string for ${role} has no password.`);
  return decodeURIComponent(password);
}

async function provisionRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  // Utility statements take no parameters.
  await client.query(
    `${rowCount === 0 ? 'create' : 'alter'} role ${role}
       login nosuperuser nobypassrls nocreatedb nocreaterole password ${client.escapeLiteral(password)}`,
  );
}

/**
 * Creates the role that owns the search of passages, which no policy filters. Nothing connects as it; the migrator is a
 * member of it, to give it the function (docs/decisions/0113-passages-are-searched-by-a-role-of-their-own.md).
 */
async function provisionSearchRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select 1 from pg_roles where rolname = 'wes_search'`);
  await client.query(
    `${rowCount === 0 ? 'create' : 'alter'} role wes_search
       nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit`,
  );
  await client.query('grant wes_search to wes_migrator');
}

/** Sets default limits for connections that, unlike those of the service, set none themselves. */
async function limitRole(client: pg.Client, role: string, limits: ConnectionLimits): Promise<void> {
  const settings = {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  for (const [name, milliseconds] of Object.entries(settings)) {
    await client.query(`alter role ${role} set ${name} = ${milliseconds}`);
  }
}

/** Creates a database or changes its owner, and closes it to all other roles. */
async function provisionDatabase(client: pg.Client, database: string, owner: string): Promise<void> {
  const name = client.escapeIdentifier(database);
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  // The administrator of a managed server must be a member of a role to give it a database.
  await client.query(`grant ${owner} to current_user`);
  await client.query(
    rowCount === 0 ? `create database ${name} owner ${owner}` : `alter database ${name} owner to ${owner}`,
  );
  await client.query(`revoke all on database ${name} from public`);
}

/**
 * Creates the role `temporal` and the databases of Temporal's images for a Temporal server on the same PostgreSQL, so
 * that its role cannot read the service's data. Tables that the server of an earlier release created as a superuser are
 * given to the role. May be run repeatedly.
 * @param superuserUrl a connection that may create roles and databases
 */
export async function provisionTemporal(superuserUrl: string, password: string): Promise<void> {
  await connected(superuserUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('wes provision temporal'))`);
    await provisionRole(client, 'temporal', password);
    for (const database of ['temporal', 'temporal_visibility']) {
      await provisionDatabase(client, database, 'temporal');
      const inside = new URL(superuserUrl);
      inside.pathname = `/${database}`;
      await connected(inside.href, giveTables);
    }
  });
}

async function giveTables(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    declare made record;
    begin
      for made in
        select format('alter table %I.%I owner to temporal', schemaname, tablename) as change
        from pg_tables where schemaname = 'public' and tableowner <> 'temporal'
      loop
        execute made.change;
      end loop;
    end $$;
    alter schema public owner to temporal;
  `);
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
