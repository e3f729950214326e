import type { Knex } from 'knex';
import { executorOf } from './pool/query-builder.js';

/** Executes a written-out statement: composing one takes several times as long (docs/decisions/0035-speed.md). */
export async function statement<Row>(knex: Knex, text: string, bindings: readonly unknown[]): Promise<Row[]> {
  const { rows } = await executorOf(knex).execute({ text: numbered(text), values: bindings });
  return rows as Row[];
}

const known = new Map<string, { name: string; text: string }>();

/**
 * `statement` for the statements of every request: PostgreSQL parses and plans them once for each connection, instead
 * of each time. The text must be constant, so that there are few prepared statements. It must name its columns, because
 * a migration that adds a column would change the meaning of a prepared `*`.
 */
export async function prepared<Row>(knex: Knex, text: string, bindings: readonly unknown[]): Promise<Row[]> {
  const { rows } = await executorOf(knex).execute({ ...named(text), values: bindings });
  return rows as Row[];
}

/** `prepared` for a statement that changes rows. @returns their number */
export async function changedBy(knex: Knex, text: string, bindings: readonly unknown[]): Promise<number> {
  const { rowCount } = await executorOf(knex).execute({ ...named(text), values: bindings });
  return rowCount ?? 0;
}

/** `prepared`, executed with the end of the transaction: it takes no round trip, and if it fails, so does the transaction. */
export function preparedAtEnd(tx: Knex, text: string, bindings: readonly unknown[]): void {
  const executor = executorOf(tx);
  if (executor.atEnd === undefined)
    throw new Error('there is no transaction, whose end a statement could wait for');
  executor.atEnd({ ...named(text), values: bindings });
}

function named(text: string): { name: string; text: string } {
  let one = known.get(text);
  if (one === undefined) {
    one = { name: `wes_${known.size + 1}`, text: numbered(text) };
    known.set(text, one);
  }
  return one;
}

/** `?` → `$1`, `$2`, … */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}
