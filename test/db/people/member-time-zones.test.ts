import { expect, it } from 'vitest';
import { beginOf } from '../../../domain/lib/local-time.js';
import { isTimezone } from '../../../domain/lib/locales.js';
import { queryOnce } from '../../support/db/connect.js';
import { useDatabase } from '../../support/db/use-database.js';

const database = useDatabase();

it('every accepted name of a time zone that PostgreSQL has as well has its meaning there', async () => {
  const rows = await queryOnce<{ name: string; winter: Date; summer: Date }>(
    database.superuserUrl,
    `select name, '2020-01-15'::timestamp at time zone name as winter,
            '2020-07-15'::timestamp at time zone name as summer
     from pg_timezone_names
     -- PostgreSQL takes these for fixed offsets. No statement names a time zone.
     where name not in (select abbrev from pg_timezone_abbrevs)`,
  );
  const both = rows.filter(({ name }) => isTimezone(name));
  expect(both.length).toBeGreaterThan(400);
  const other = both.filter(({ name, winter, summer }) => {
    const begins = [beginOf('2020-01-15', name), beginOf('2020-07-15', name)].map(Number);
    return begins[0] !== Number(winter) || begins[1] !== Number(summer);
  });
  expect(other.map(({ name }) => name)).toEqual([]);
});
