import { serveFloor } from '../support/serve-floor.js';

/*
 * The floor of POST data records: inserts the same row into the same table in one transaction, without look-ups,
 * checks, history or events.
 */

serveFloor<{ memberId: number; fieldValues: object }>(
  /^\/w\/(\d+)\/data-types\/(\d+)\/records$/,
  async ({ client, ids, body: { memberId, fieldValues } }) => {
    const { rows } = await client.query(
      `insert into data_records (workspace_id, data_type_id, member_id, is_single, field_values)
       values ($1, $2, $3, false, $4) returning *`,
      [...ids, memberId, fieldValues],
    );
    return rows[0];
  },
  { creates: true },
);
