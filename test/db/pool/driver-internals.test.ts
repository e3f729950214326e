import { createRequire } from 'node:module';
import pg from 'pg';
import { expect, it } from 'vitest';

/*
 * `db/pool` uses parts of pg and knex that they do not document (db/pool/README.md). This test names the part that is
 * gone after an upgrade; the other tests of this folder show whether it still does the same.
 */

const require = createRequire(import.meta.url);
const methodsOf = (prototype: object, names: readonly string[]) =>
  names.filter((name) => typeof Reflect.get(prototype, name) !== 'function');

it('the connection of pg writes each message of the extended protocol', () => {
  const { Connection } = pg as unknown as { Connection: { prototype: object } };
  const used = ['parse', 'bind', 'describe', 'execute', 'close', 'sync', 'sendCopyFail'];
  expect(methodsOf(Connection.prototype, used)).toEqual([]);
});

it('the client of pg reports its transaction status and dispatches to objects with a submit method', () => {
  expect(methodsOf(pg.Client.prototype, ['getTransactionStatus'])).toEqual([]);
  const handlers = [
    '_handleRowDescription',
    '_handleDataRow',
    '_handleCommandComplete',
    '_handleErrorMessage',
    '_handleReadyForQuery',
  ];
  expect(methodsOf(pg.Client.prototype, handlers)).toEqual([]);
});

it('the results of pg parse rows by the fields they were given', () => {
  expect(methodsOf(pg.Result.prototype, ['addFields', 'parseRow'])).toEqual([]);
});

it('pg converts values to the form it sends', () => {
  const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } };
  expect(['text', 1, true, null, ['a', null], { a: 1 }].map(utils.prepareValue)).toEqual([
    'text',
    '1',
    'true',
    null,
    '{"a",NULL}',
    '{"a":1}',
  ]);
});

it('the PostgreSQL dialect of knex can be derived', () => {
  const Dialect = require('knex/lib/dialects/postgres/index.js') as { prototype: object };
  const used = ['acquireConnection', 'releaseConnection', '_query', 'processResponse', 'transaction'];
  expect(methodsOf(Dialect.prototype, used)).toEqual([]);
});
