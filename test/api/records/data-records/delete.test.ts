import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useRecords } from '../../../support/records/use-records.js';

const suite = useRecords();
const post = (path: string, key: string, body: unknown) =>
  suite.api.request('POST', suite.workspace.path(path), {
    apiKey: suite.workspace.admin.apiKey,
    body,
    headers: { 'Idempotency-Key': key },
  });
const answersWith = (text: string) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, async (tx) =>
    tx('idempotency_keys').where('answer', 'like', `%${text}%`).pluck('operation'),
  );

describe('deleting a record', () => {
  it('removes all its content, including stored idempotent answers', async () => {
    const secret = `Said once ${randomUUID()}`;
    const upsertPath = `/data-types/${suite.collection.id}/upsert/visit-1`;
    const body = { fieldValues: { reason: secret } };
    const createKey = randomUUID();
    const upsertKey = randomUUID();
    const { id } = (await post(suite.collection.path, createKey, { ...body, externalId: 'visit-1' })).body;
    await post(upsertPath, upsertKey, body);
    expect(await answersWith(secret)).toHaveLength(2);

    expect((await suite.asAdmin('DELETE', `${suite.collection.path}/${id}`)).status).toBe(200);

    expect(await answersWith(secret)).toEqual([]);
    expect(await suite.eventsOf(id)).toEqual([]);
    expect(await suite.countRows('data_record_changes', { record_id: id })).toBe(0);
    const replays = [
      await post(suite.collection.path, createKey, { ...body, externalId: 'visit-1' }),
      await post(upsertPath, upsertKey, body),
    ];
    for (const replay of replays) {
      expect(replay).toMatchObject({ status: 409, body: { code: 'idempotency_answer_not_kept' } });
      expect(replay.body.detail).toContain('deleted');
      expect(replay.body.detail).toContain(String(id));
    }
  });

  it('keeps stored answers about other records, and about other resources with the same id', async () => {
    const key = randomUUID();
    const body = { fieldValues: { reason: 'Cough' } };
    const { id } = (await post(suite.collection.path, randomUUID(), body)).body;
    const other = await post(suite.collection.path, key, body);
    await suite.workspace.database.inWorkspace(suite.workspace.workspaceId, async (tx) => {
      await tx('idempotency_keys')
        .where({ resource_id: other.body.id })
        .update({ answer: JSON.stringify({ id }) });
    });

    await suite.asAdmin('DELETE', `${suite.collection.path}/${id}`);

    expect((await post(suite.collection.path, key, body)).status).toBe(201);
  });

  it('deletes a retired record too', async () => {
    const { id } = (await suite.asAdmin('POST', suite.collection.path, { fieldValues: { reason: 'A' } }))
      .body;
    await suite.asAdmin('POST', `${suite.collection.path}/${id}/retire`, {});

    expect(await suite.asAdmin('DELETE', `${suite.collection.path}/${id}`)).toMatchObject({
      status: 200,
      body: { status: 'deleted' },
    });
  });
});
