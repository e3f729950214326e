import { serveFloor } from '../support/serve-floor.js';

/*
 * The floor of GET a data record: reads the same row under the same row-level security, without API key, permissions,
 * data type, validation or log.
 */

serveFloor(
  /^\/w\/(\d+)\/data-types\/(\d+)\/records\/(\d+)$/,
  async ({ client, ids: [, typeId, recordId] }) => {
    const { rows } = await client.query(
      `select r.*, m.name as member_name from data_records r join members m on m.id = r.member_id
     where r.id = $1 and r.data_type_id = $2`,
      [recordId, typeId],
    );
    return rows[0];
  },
);
