import type { Tx } from '../database.js';
import type { Sql } from '../sql.js';
import { prepared, statement } from '../statement.js';

/**
 * Asks with a planner that takes an index's order over sorting, and one look-up after the other over reading a table:
 * it cannot know how few rows are needed, and of a table that was just filled it knows nothing at all. The settings end
 * with the batch.
 */
export async function queryInIndexOrder<Row>(tx: Tx, { text, bindings }: Sql): Promise<Row[]> {
  const [, rows] = await Promise.all([prepared(tx, plannerSettings, []), statement<Row>(tx, text, bindings)]);
  return rows;
}

/**
 * `askByIndex` for a statement of few forms, which PostgreSQL plans once for each connection: with these settings, knowing
 * the parameters would not change the plan.
 */
export async function queryInIndexOrderPrepared<Row>(tx: Tx, { text, bindings }: Sql): Promise<Row[]> {
  const [, rows] = await Promise.all([prepared(tx, plannerSettings, []), prepared<Row>(tx, text, bindings)]);
  return rows;
}

const plannerSettings = `select set_config(name, 'off', true) from unnest(array[
    'enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_hashjoin', 'enable_mergejoin', 'jit']) as name
  union all select set_config('plan_cache_mode', 'force_generic_plan', true)
  union all select set_config('max_parallel_workers_per_gather', '0', true)`;
