import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import type { Executor } from './executor.js';

// It is not among knex's exports; what its documentation derives dialects from.
const PostgresClient = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js');

/** Composes queries for PostgreSQL, and has others ask them: it has no connections. */
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
    query.response = await this.config.asking.ask({ text: query.sql, values: query.bindings ?? [] });
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
// What goes wrong is thrown; knex would also print it, past the log.
const log = { warn: quiet, error: quiet, deprecate: quiet, debug: quiet };

/**
 * Where a composer keeps whom it asks. A property, because minor garbage collections keep what a `WeakMap` maps to:
 * a sixth of what a request allocates would outlive it (decision 88).
 */
const asked = Symbol('asked');

/**
 * Knex whose queries are asked of `asking`. It is made when the first is composed: most transactions of requests
 * compose none.
 */
export function queryBuilderFor<Extra extends object>(asking: Executor, extra: Extra): Knex & Extra {
  let made: Knex | undefined;
  const compose = (): Knex => {
    made ??= knex({
      client: PostgresQueryBuilder as unknown as typeof Knex.Client,
      log,
      asking,
    } as Knex.Config);
    return made;
  };
  const own = Object.assign(() => {}, extra, { [asked]: asking }) as unknown as Knex & Extra;
  const holderOf = (name: PropertyKey) => (Object.hasOwn(own, name) ? own : compose());
  return new Proxy(own, {
    apply: (_own, _this, tables: Parameters<Knex>) => compose()(...tables),
    get: (_own, name) => Reflect.get(holderOf(name), name),
    set: (_own, name, value) => Reflect.set(holderOf(name), name, value),
  });
}

/** Whom a composer asks. */
export function executorOf(composer: Knex): Executor {
  const asking = (composer as Knex & { [asked]?: Executor })[asked];
  if (asking === undefined) throw new Error('this knex is no composer of ours');
  return asking;
}
