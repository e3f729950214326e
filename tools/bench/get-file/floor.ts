import { serveFloor } from '../support/serve-floor.js';

/*
 * The floor of GET a file: reads the same rows under the same row-level security, in one statement, without API key,
 * permissions, address or log.
 */

serveFloor(/^\/w\/(\d+)\/files\/(\d+)$/, async ({ client, ids: [, fileId] }) => {
  const { rows } = await client.query(
    `select f.*, row_to_json(d) as folder, o.uuid as object_uuid, o.sha256,
       (select coalesce(json_agg(l), '[]') from file_label_links k join file_labels l on l.id = k.file_label_id
         where k.file_id = f.id) as labels,
       (select count(*) from file_shares s where s.file_id = f.id and s.revoked_at is null
         and (s.expires_at is null or s.expires_at > now())) as share_count
     from files f join file_versions v on v.id = f.current_version_id join stored_objects o on o.id = v.object_id
       left join folders d on d.id = f.folder_id
     where f.id = $1`,
    [fileId],
  );
  return rows[0];
});
