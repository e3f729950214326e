import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/use-api.js';
import { type SentFile, sendFile } from '../../../support/files/send-file.js';
import { randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi();

const newFile = async (fields: Record<string, string>, sent: SentFile = {}) =>
  (await sendFile(api, workspace, { ...sent, fields })).body;
const newFolder = async (access: string) =>
  (await asAdmin('POST', '/folders', { name: `Folder ${randomTag()}`, access })).body;

type Query = Record<string, string | number | boolean>;
const titles = async (query: Query, asCaller = asAdmin, path = '/files') => {
  const answer = await asCaller('GET', path, undefined, { sortBy: 'title', sortOrder: 'asc', ...query });
  expect(answer.status).toBe(200);
  return answer.body.items.map(({ title }: { title: string }) => title);
};

let folder: { id: number };
let label: { id: number };
beforeAll(async () => {
  folder = await newFolder('workspace');
  label = (await asAdmin('POST', '/file-labels', { name: 'For patients' })).body;
  const inFolder = { folderId: String(folder.id) };
  const { id } = await newFile({ ...inFolder, name: 'A leaflet', externalId: 'leaflet-1' });
  await asAdmin('PUT', `/files/${id}`, { labelIds: [label.id] });
  await newFile(
    { ...inFolder, name: 'B prices', access: 'private' },
    { content: 'visit,price\nfirst,80\n', filename: '100%.csv' },
  );
  await newFile({ name: 'C plan', access: 'public' });
  await newFile({ name: 'D notes' }, { by: workspace.member });
  await sendFile(api, otherWorkspace, { fields: { name: 'E of others' } });
});

describe('the list of files', () => {
  it('has all files for those with the permission, and for others what they may see', async () => {
    expect(await titles({})).toEqual(['A leaflet', 'B prices', 'C plan', 'D notes']);
    expect(await titles({}, asMember)).toEqual(['A leaflet', 'C plan', 'D notes']);
    const { body } = await asMember('GET', '/files');
    expect(body).toMatchObject({ total: 3 });
  });

  it.each([
    ['part of the title', () => ({ search: 'A LEAF' }), ['A leaflet']],
    ['part of the file name, literally', () => ({ search: '0%' }), ['B prices']],
    ['a character that is a wildcard in SQL', () => ({ search: '_' }), []],
    ['kinds', () => ({ kind: 'data' }), ['B prices']],
    ['labels', () => ({ labelId: label.id }), ['A leaflet']],
    ['the access', () => ({ access: 'public' }), ['C plan']],
    ['the owner', () => ({ ownerId: workspace.member.memberId }), ['D notes']],
    ['the external id', () => ({ externalId: 'leaflet-1' }), ['A leaflet']],
    ['a folder', () => ({ folderId: folder.id }), ['A leaflet', 'B prices']],
    ['no folder', () => ({ atRoot: true }), ['C plan', 'D notes']],
    ['own files', () => ({ mine: true }), ['A leaflet', 'B prices', 'C plan']],
    ['the time', () => ({ createdBefore: '2000-01-01T00:00:00Z' }), []],
    ['several conditions', () => ({ folderId: folder.id, kind: 'data' }), ['B prices']],
  ])('is filtered by %s', async (_by, query, expected) => {
    expect(await titles(query() as Query)).toEqual(expected);
  });

  it('has what is of any of several kinds', async () => {
    const path = '/files?kind=data&kind=document';
    expect(await titles({}, asAdmin, path)).toEqual(['A leaflet', 'B prices', 'C plan', 'D notes']);
  });

  it('is sorted and paged', async () => {
    expect(await titles({ pageSize: 1, page: 2, sortOrder: 'desc' })).toEqual(['C plan']);
  });
});

describe('the files of a folder', () => {
  it('are those that the caller may see', async () => {
    const path = `/folders/${folder.id}/files`;
    expect(await titles({}, asAdmin, path)).toEqual(['A leaflet', 'B prices']);
    expect(await titles({}, asMember, path)).toEqual(['A leaflet']);
  });

  it('are not found in a folder that the caller does not see', async () => {
    const hidden = await newFolder('private');
    expect((await asMember('GET', `/folders/${hidden.id}/files`)).status).toBe(404);
  });
});
