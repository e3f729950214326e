import type { Knex } from 'knex';
import { executorOf } from './pool/query-builder.js';

/**
 * Runs a statement that is written out, and returns its rows. `?` are its parameters' places, as knex has it. Composing
 * takes several times as long as the statement does (docs/decisions/0035-speed.md).
 */
export async function statement<Row>(knex: Knex, text: string, bindings: readonly unknown[]): Promise<Row[]> {
  const { rows } = await executorOf(knex).execute({ text: numbered(text), values: bindings });
  return rows as Row[];
}

const known = new Map<string, { name: string; text: string }>();

/**
 * `statement` for what PostgreSQL is to parse and plan once for each connection, instead of every time: for what every
 * request asks. The text is constant, so that there are few of them, and names its columns, so that a migration that
 * adds one does not change what a prepared `*` stands for.
 */
export async function prepared<Row>(knex: Knex, text: string, bindings: readonly unknown[]): Promise<Row[]> {
  let one = known.get(text);
  if (one === undefined) {
    one = { name: `wes_${known.size + 1}`, text: numbered(text) };
    known.set(text, one);
  }
  const { rows } = await executorOf(knex).execute({ ...one, values: bindings });
  return rows as Row[];
}

/** `?` → `$1`, `$2`, … */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}
