import { serveFloor } from '../support/serve-floor.js';

/*
 * The floor of a filtered page: one count and one select over the same tables under the same row-level security,
 * without API key, permissions, data type, parsing of the filter, validation or log.
 */

const matching = `from data_record_values v where v.workspace_id = $1 and v.data_type_id = $2 and v.field = 'group'
  and not v.retired and v.text_value is null and v.number_value = $3`;

serveFloor(/^\/w\/(\d+)\/data-types\/(\d+)\/records\/group\/(\d+)$/, async ({ client, ids }) => {
  const values = [...ids];
  const text = `select count(*)::int as total ${matching}`;
  const counted = await client.query({ name: 'count', text, values });
  const { rows } = await client.query({
    name: 'page',
    text: `select r.*, m.name as member_name from data_records r join members m on m.id = r.member_id
      where r.id in (select v.record_id ${matching}) order by r.id limit 25`,
    values,
  });
  return { items: rows, total: counted.rows[0].total };
});
