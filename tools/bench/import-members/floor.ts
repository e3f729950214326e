import { randomUUID } from 'node:crypto';
import { connect } from '../../../test/support/db/connect.js';
import type { Stage } from '../stage/stage.js';
import type { Person } from './people.js';

/*
 * The floor of imports: the same rows in the same tables under the same row-level security, in one transaction with one
 * statement for each table, without upload, parsing, checks, matching or notifications.
 */

export async function writePeople(
  { appUrl, workspace }: Stage,
  dataTypeId: number,
  people: readonly Person[],
): Promise<void> {
  const client = await connect(appUrl);
  try {
    const { workspaceId, workspaceUuid } = workspace;
    await client.query(`begin; set local app.workspace_id = '${workspaceId}'`);
    const { rows: members } = await client.query<{ id: string }>(
      `insert into members (workspace_id, created_at, updated_at, kind, member_role_id, email, phone, name)
       select $1, now(), now(), 'human', $2, email, phone, name
       from unnest($3::text[], $4::text[], $5::text[]) as new (email, phone, name)
       on conflict (workspace_id, email) where deleted_at is null
       do update set phone = excluded.phone, name = excluded.name, updated_at = excluded.updated_at
       returning id`,
      [
        workspaceId,
        workspace.roles.member.id,
        people.map(({ email }) => email),
        people.map(({ phone }) => phone),
        people.map(({ name }) => name),
      ],
    );
    const values = people.map(({ colour, size }) => JSON.stringify({ colour, size }));
    const { rows: records } = await client.query<{ id: string }>(
      `insert into data_records (workspace_id, data_type_id, member_id, is_single, field_values, created_at, updated_at)
       select $1, $2, member_id, true, field_values::jsonb, now(), now()
       from unnest($3::bigint[], $4::text[]) as new (member_id, field_values)
       on conflict (workspace_id, data_type_id, member_id) where is_single and retired_at is null
       do update set field_values = excluded.field_values, updated_at = excluded.updated_at
       returning id`,
      [workspaceId, dataTypeId, members.map(({ id }) => id), values],
    );
    const recordIds = records.map(({ id }) => id);
    await client.query(
      `insert into data_record_changes (workspace_id, record_id, operation, after, actor_member_id, created_at)
       select $1, record_id, 'created', after::jsonb, $2, now()
       from unnest($3::bigint[], $4::text[]) as new (record_id, after)`,
      [workspaceId, workspace.admin.memberId, recordIds, values],
    );
    const events = recordIds.flatMap((id, place) =>
      ['data_record:created', 'data_record:changed'].map((event) => ({ id, ...eventOf(event, place) })),
    );
    await client.query(
      `insert into events (workspace_id, uuid, event_type, body, data_record_id, created_at)
       select $1, uuid, event_type, body, data_record_id, now()
       from unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[]) as new (uuid, event_type, body, data_record_id)
       on conflict do nothing`,
      [
        workspaceId,
        events.map(({ uuid }) => uuid),
        events.map(({ event }) => event),
        events.map(({ body }) => body),
        events.map(({ id }) => id),
      ],
    );
    await client.query('commit');

    function eventOf(event: string, place: number) {
      const uuid = randomUUID();
      const createdAt = new Date().toISOString();
      const { colour, size } = people[place] ?? {};
      const dataRecord = {
        id: Number(recordIds[place]),
        uuid: randomUUID(),
        dataTypeId,
        dataTypeSlug: 'form',
        memberId: Number(members[place]?.id),
        externalId: null,
        fields: { colour, size },
        accessMode: 0,
        retiredAt: null,
        createdAt,
        updatedAt: createdAt,
      };
      return { uuid, event, body: JSON.stringify({ event, id: uuid, createdAt, workspaceUuid, dataRecord }) };
    }
  } finally {
    await client.end();
  }
}
