import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.js';
import { provisionTemporal } from '../../db/provision.js';
import { connect, queryOnce } from '../support/db/connect.js';
import { useDatabase } from '../support/db/use-database.js';
import { postgresBackend } from '../support/run/backend-client.js';

const password = 'a-password-of-tests';
const testDatabase = useDatabase();
let superuserUrl: string;
let administrator: pg.Client;

beforeAll(async () => {
  ({ superuserUrl } = await postgresBackend());
  administrator = await connect(superuserUrl);
});
afterAll(async () => {
  await administrator.query('drop database if exists temporal with (force)');
  await administrator.query('drop database if exists temporal_visibility with (force)');
  await administrator.query('drop role if exists temporal');
  await administrator.end();
});

function urlOf(database: string, role?: string): string {
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  if (role !== undefined) Object.assign(url, { username: role, password });
  return url.href;
}

const environment = () => ({
  SUPERUSER_DATABASE_URL: superuserUrl,
  MIGRATOR_DATABASE_URL: testDatabase.migratorUrl,
  DATABASE_URL: testDatabase.appUrl,
  RELAY_DATABASE_URL: testDatabase.relayUrl,
});

it('provisionTemporal takes over databases of an earlier release, without access to the database of the service', async () => {
  await administrator.query('create database temporal');
  await queryOnce(urlOf('temporal'), 'create table executions (id int)');

  await provisionTemporal(superuserUrl, 'another-password');
  await Promise.all([provisionTemporal(superuserUrl, password), provisionTemporal(superuserUrl, password)]);

  const temporal = await connect(urlOf('temporal', 'temporal'));
  try {
    // What schema updates of Temporal do.
    await temporal.query('alter table executions add column state int; create table shards (id int)');
    const { rows } = await temporal.query(
      'select rolsuper, rolcreatedb from pg_roles where rolname = current_user',
    );
    expect(rows).toEqual([{ rolsuper: false, rolcreatedb: false }]);
  } finally {
    await temporal.end();
  }
  await queryOnce(
    urlOf('temporal_visibility', 'temporal'),
    'create extension if not exists btree_gin; create table executions_visibility (id int)',
  );
  const { pathname } = new URL(testDatabase.appUrl);
  await migrate(['provision'], environment());
  await expect(connect(urlOf(pathname.slice(1), 'temporal'))).rejects.toMatchObject({ code: '42501' });
  const app = new URL(testDatabase.appUrl);
  app.pathname = '/temporal';
  await expect(connect(app.href)).rejects.toMatchObject({ code: '42501' });
});

it('migrate provision includes Temporal when a password is set', async () => {
  expect(await migrate(['provision'], environment())).not.toContain('temporal');
  const withTemporal = { ...environment(), TEMPORAL_DATABASE_PASSWORD: password };
  expect(await migrate(['provision'], withTemporal)).toContain('and temporal are in place.');
});
