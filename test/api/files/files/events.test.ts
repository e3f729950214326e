import { describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { sendFile } from '../../../support/files/send-file.js';
import { randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, asAdmin } = useApi({ storesEvents: true });

interface StoredEvent {
  event_type: string;
  /** JSON, as it is sent. */
  body: string;
}

const eventsOf = async (fileId: number) => {
  const stored: StoredEvent[] = await workspace.within((tx) =>
    tx('events').where('event_type', 'like', 'file:%').orderBy('id').select('event_type', 'body'),
  );
  return stored
    .map(({ event_type, body }) => ({ event_type, body: JSON.parse(body) }))
    .filter(({ body }) => body.file.id === fileId);
};
const typesOf = async (fileId: number) => (await eventsOf(fileId)).map((event) => event.event_type);
const newFile = async (fields: Record<string, string> = {}) =>
  (await sendFile(api, workspace, { fields })).body;
const newFolder = async () => (await asAdmin('POST', '/folders', { name: `Folder ${randomTag()}` })).body;

describe('the events of a file', () => {
  it('tell of the upload, without the bytes, the text and addresses of it', async () => {
    const { id, uuid } = await newFile({ name: 'After your visit', externalId: 'leaflet-2' });
    const [created] = await eventsOf(id);
    expect(created).toMatchObject({
      event_type: 'file:created',
      body: {
        file: {
          id,
          uuid,
          title: 'After your visit',
          filename: 'leaflet.txt',
          mimeType: 'text/plain',
          fileSize: 19,
          source: 'upload',
          access: 'private',
          externalId: 'leaflet-2',
          currentVersionNumber: 1,
        },
      },
    });
    expect(JSON.stringify(created)).not.toMatch(/Drink|https?:/);
    for (const field of ['data', 'cdnUrl']) expect(created?.body.file).not.toHaveProperty(field);
  });

  it('tell of changes, versions, moves and the deletion, and of nothing that changes nothing', async () => {
    const { id } = await newFile();
    await asAdmin('PUT', `/files/${id}`, { title: 'Other' });
    await asAdmin('PUT', `/files/${id}`, { title: 'Other' });
    await sendFile(api, workspace, { path: `/files/${id}/versions`, content: 'Rest.' });
    await asAdmin('POST', `/files/${id}/versions/1/restore`);
    await asAdmin('PUT', `/files/${id}`, { folderId: (await newFolder()).id });
    await asAdmin('DELETE', `/files/${id}`);
    expect(await typesOf(id)).toEqual([
      'file:created',
      ...Array.from({ length: 4 }, () => 'file:updated'),
      'file:deleted',
    ]);
  });
});

describe('a deleted folder', () => {
  it('takes its files with it if told, and each is reported', async () => {
    const folder = await newFolder();
    const { id } = await newFile({ folderId: String(folder.id) });
    expect((await asAdmin('DELETE', `/folders/${folder.id}`)).body.code).toBe('folder_not_empty');
    expect((await asAdmin('DELETE', `/folders/${folder.id}?contents=delete`)).status).toBe(204);
    expect((await asAdmin('GET', `/files/${id}`)).status).toBe(404);
    expect(await typesOf(id)).toEqual(['file:created', 'file:deleted']);
  });

  it('leaves its files where it is told to, and each is reported', async () => {
    const [folder, other] = [await newFolder(), await newFolder()];
    const { id } = await newFile({ folderId: String(folder.id) });
    expect((await asAdmin('DELETE', `/folders/${folder.id}?contents=move:${other.id}`)).status).toBe(204);
    expect((await asAdmin('GET', `/files/${id}`)).body.folderId).toBe(other.id);
    expect((await asAdmin('DELETE', `/folders/${other.id}?contents=move:root`)).status).toBe(204);
    expect((await asAdmin('GET', `/files/${id}`)).body.folderId).toBeNull();
    expect(await typesOf(id)).toEqual(['file:created', 'file:updated', 'file:updated']);
  });
});

describe('a folder that is moved', () => {
  it('keeps its files', async () => {
    const [folder, other] = [await newFolder(), await newFolder()];
    const { id } = await newFile({ folderId: String(folder.id) });
    expect((await asAdmin('PUT', `/folders/${folder.id}`, { parentFolderId: other.id })).status).toBe(200);
    expect((await asAdmin('GET', `/files/${id}`)).body.folderId).toBe(folder.id);
    expect(await typesOf(id)).toEqual(['file:created']);
  });
});
