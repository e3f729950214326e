import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import type { Executor } from './executor.js';

// Not exported by knex, although its documentation derives dialects from this class.
const PostgresClient = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js');

/** Composes queries for PostgreSQL, and passes them to an executor: it has no connections of its own. */
class PostgresQueryBuilder extends PostgresClient {
  acquireConnection(): Promise<object> {
    return Promise.resolve({});
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  transaction(): never {
    throw new Error('transactions are begun by Database');
  }

  async _query(_connection: object, query: ComposedQuery): Promise<ComposedQuery> {
    query.response = await this.config.executor.execute({ text: query.sql, values: query.bindings ?? [] });
    return query;
  }
}

/** A query as knex passes it around. */
interface ComposedQuery {
  sql: string;
  bindings?: readonly unknown[];
  response?: unknown;
}

const quiet = () => {};
// Errors are thrown; knex would also print them, bypassing the log.
const log = { warn: quiet, error: quiet, deprecate: quiet, debug: quiet };

/**
 * The property in which a query builder keeps its executor. Not a `WeakMap`, because minor garbage collections retain
 * what it maps to: a sixth of what a request allocates would outlive the request (decision 88).
 */
const executorKey = Symbol('executor');

/** Creates the knex itself with the first composed query, because most transactions of requests compose none. */
export function queryBuilderFor<Extra extends object>(executor: Executor, extra: Extra): Knex & Extra {
  let made: Knex | undefined;
  const compose = (): Knex => {
    made ??= knex({
      client: PostgresQueryBuilder as unknown as typeof Knex.Client,
      log,
      executor,
    } as Knex.Config);
    return made;
  };
  const own = Object.assign(() => {}, extra, { [executorKey]: executor }) as unknown as Knex & Extra;
  const holderOf = (name: PropertyKey) => (Object.hasOwn(own, name) ? own : compose());
  return new Proxy(own, {
    apply: (_own, _this, tables: Parameters<Knex>) => compose()(...tables),
    get: (_own, name) => Reflect.get(holderOf(name), name),
    set: (_own, name, value) => Reflect.set(holderOf(name), name, value),
  });
}

export function executorOf(composer: Knex): Executor {
  const executor = (composer as Knex & { [executorKey]?: Executor })[executorKey];
  if (executor === undefined) throw new Error('this knex was not created by queryBuilderFor');
  return executor;
}
