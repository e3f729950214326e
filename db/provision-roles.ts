import pg from 'pg';
import {
  type ConnectionLimits,
  migrationLimits,
  relayLimits,
  serviceLimits,
} from './pool/connection-settings.js';

/** The three roles of the service (design rule 3). None of them is a superuser or walks around policies. */
export interface RolePasswords {
  /** Owns the database and migrates it. */
  wes_migrator: string;
  /** What the api and the runs work as: owns nothing, bound by the policies. */
  wes_app: string;
  /** Reads every workspace's outbox and no other table; a function tells it how long agents' turns have been owed. */
  wes_relay: string;
}

const roleLimits: Record<keyof RolePasswords, ConnectionLimits> = {
  wes_migrator: migrationLimits,
  wes_app: serviceLimits,
  wes_relay: relayLimits,
};

export interface RoleProvisioning {
  database: string;
  passwords: RolePasswords;
}

/**
 * Creates the roles and the database, or brings existing ones to what they should be. May be run again and
 * again, and by several at once.
 * @param superuserUrl a connection that may create roles and databases
 */
export async function provisionRoles(
  superuserUrl: string,
  provisioning: RoleProvisioning,
): Promise<RoleProvisioning> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    // Two at once would both find a role missing; the lock is released with the connection.
    await client.query(`select pg_advisory_lock(hashtext('wes provision roles'))`);
    for (const [role, password] of Object.entries(provisioning.passwords)) {
      await provisionRole(client, role, password);
      await limitRole(client, role, roleLimits[role as keyof RolePasswords]);
    }
    await provisionDatabase(client, provisioning.database);
  } finally {
    await client.end();
  }
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

function passwordOf(url: string, role: keyof RolePasswords): string {
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
    `${rowCount === 0 ? 'create' : 'alter'} role ${client.escapeIdentifier(role)}
       login nosuperuser nobypassrls nocreatedb nocreaterole password ${client.escapeLiteral(password)}`,
  );
}

/** For connections that do not say so themselves, as those of the service do. */
async function limitRole(client: pg.Client, role: string, limits: ConnectionLimits): Promise<void> {
  const settings = {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  for (const [name, milliseconds] of Object.entries(settings)) {
    await client.query(`alter role ${client.escapeIdentifier(role)} set ${name} = ${milliseconds}`);
  }
}

async function provisionDatabase(client: pg.Client, database: string): Promise<void> {
  const name = client.escapeIdentifier(database);
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  // A managed server's administrator has to be a member of a role to hand it a database.
  await client.query('grant wes_migrator to current_user');
  if (rowCount === 0) await client.query(`create database ${name} owner wes_migrator`);
  else await client.query(`alter database ${name} owner to wes_migrator`);
  await client.query(`revoke all on database ${name} from public`);
  await client.query(`grant connect on database ${name} to wes_migrator, wes_app, wes_relay`);
}
