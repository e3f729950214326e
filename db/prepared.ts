import type { Knex } from 'knex';

const names = new Map<string, string>();

/**
 * Runs a query that PostgreSQL parses and plans once for each connection, instead of every time: for joins that
 * every request makes. The text is constant, so that there are few of them, and names its columns, so that a
 * migration that adds one does not change what a prepared `*` stands for.
 */
export async function prepared<Row>(
  knex: Knex,
  text: string,
  bindings: readonly (string | number | Date | Buffer | readonly number[] | null)[],
): Promise<Row[]> {
  let name = names.get(text);
  if (name === undefined) {
    name = `wes_${names.size + 1}`;
    names.set(text, name);
  }
  const { rows } = await knex.raw(text, bindings as Knex.RawBinding[]).options({ name });
  return rows;
}
