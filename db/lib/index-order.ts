import type { Sql } from '../sql.js';
import { prepared, statement } from '../statement.js';
import type { Tx } from '../tx.js';

/**
 * Executes a query with a planner that prefers the order of an index to sorting, and single look-ups to scanning a
 * table: it cannot know how few rows are needed, and has no statistics of a table that was just filled. The settings
 * end with the transaction, which for reads is the batch.
 */
export async function queryInIndexOrder<Row>(tx: Tx, { text, bindings }: Sql): Promise<Row[]> {
  const [, rows] = await Promise.all([prepared(tx, plannerSettings, []), statement<Row>(tx, text, bindings)]);
  return rows;
}

/** For a statement of few forms: with these settings, its parameters would not change the plan. */
export async function queryInIndexOrderPrepared<Row>(tx: Tx, { text, bindings }: Sql): Promise<Row[]> {
  const [, rows] = await Promise.all([prepared(tx, plannerSettings, []), prepared<Row>(tx, text, bindings)]);
  return rows;
}

/** For what is executed at once behind one of the others: its settings hold for the whole batch. */
export async function queryInSameBatch<Row>(tx: Tx, { text, bindings }: Sql): Promise<Row[]> {
  return prepared<Row>(tx, text, bindings);
}

const plannerSettings = `select set_config(name, 'off', true) from unnest(array[
    'enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_hashjoin', 'enable_mergejoin', 'jit']) as name
  union all select set_config('plan_cache_mode', 'force_generic_plan', true)
  union all select set_config('max_parallel_workers_per_gather', '0', true)`;
