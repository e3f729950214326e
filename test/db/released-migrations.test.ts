import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { expect, it } from 'vitest';
import { migrationNames, migrationSource } from '../../db/migrations/index.js';

/** What is released, in order, by the digest of its SQL. A release adds its migrations; what stands here stays. */
const released = {
  '0001-baseline': '51b39c74d6bb8ea241e7b0fd2c71d33b04ede5b4bbcc92e8cb9b0f44638b55bc',
};

it('released migrations come first, under their names', () => {
  const names = Object.keys(released);

  expect(migrationNames.slice(0, names.length)).toEqual(names);
});

it.each(Object.entries(released))(
  '%s says to the database what it said when it was released',
  async (name, digest) => {
    const migrations = await migrationSource.getMigrations([]);
    const said: string[] = [];
    const listening = {
      raw: async (sql: string, bindings: unknown = []) => {
        said.push(withoutComments(sql), JSON.stringify(bindings));
        return { rows: [{}] };
      },
    } as unknown as Knex;

    await migrations.find((one) => one.name === name)?.migration.up(listening);

    expect(createHash('sha256').update(said.join('\n')).digest('hex')).toBe(digest);
  },
);

/** White space and comments may change. */
function withoutComments(sql: string): string {
  return sql.replaceAll(/^\s*--.*$/gm, '').replaceAll(/\s+/g, ' ');
}
