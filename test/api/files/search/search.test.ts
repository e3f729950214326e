import { beforeAll, describe, expect, it } from 'vitest';
import { cutPassages } from '../../../../domain/files/indexing/cut-passages.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { useConnection } from '../../../support/db/use-database.js';
import { insertIndexedFile } from '../../../support/files/indexed-file.js';

const { api, database, workspace, otherWorkspace, asAdmin, asMember } = useApi();
const superuser = useConnection(() => database.superuserUrl);

type Query = Record<string, string | number>;
const search = (query: Query, asCaller = asMember) => asCaller('GET', '/files/search', undefined, query);
const found = async (query: Query, asCaller = asMember) => {
  const { status, body } = await search(query, asCaller);
  expect(status).toBe(200);
  return body.items;
};
const titles = async (query: Query, asCaller = asMember) =>
  (await found(query, asCaller)).map(({ file }: { file: { title: string } }) => file.title).sort();

type IndexedFile = Parameters<typeof insertIndexedFile>[1];
const addText = (title: string, text: string, file: Partial<IndexedFile> = {}) =>
  insertIndexedFile(workspace, { title, pages: [{ page: 1, passages: cutPassages(text) }], ...file });
const newFolder = async (fields: object) =>
  (await asAdmin('POST', '/folders', { access: 'workspace', ...fields })).body as { id: number };

describeAccess({ api, workspace, otherWorkspace }, ['search'], () => [
  {
    method: 'GET',
    path: '/files/search?q=water',
    scope: 'files:read',
    needsPermission: false,
    namesItem: false,
  },
]);

describe('a passage that is found', () => {
  it('names its file, has its text, and has the page of a PDF', async () => {
    await insertIndexedFile(workspace, {
      title: 'Aftercare',
      mimeType: 'application/pdf',
      pages: [
        { page: 1, passages: ['Welcome.'] },
        { page: 2, passages: ['Call us at once if you have a fever.'] },
      ],
    });
    expect(await found({ q: 'fever' })).toEqual([
      {
        file: {
          id: expect.any(Number),
          uuid: expect.any(String),
          title: 'Aftercare',
          filename: 'file.txt',
          mimeType: 'application/pdf',
        },
        page: 2,
        text: 'Call us at once if you have a fever.',
        excerpt: 'Call us at once if you have a <mark>fever</mark>.',
      },
    ]);
  });

  it('has no page if files of its kind have none', async () => {
    await addText('Notes', 'The pharmacy is opposite.');
    expect(await found({ q: 'pharmacy' })).toMatchObject([{ page: null }]);
  });

  it('cannot forge a mark or an element in the excerpt', async () => {
    const text = `</mark>Payment below < limits & "heron" <mark>now</mark> &lt;bold&gt; patient's choice`;
    await addText('Forged', text);
    const [{ excerpt }] = await found({ q: 'heron' });
    expect(excerpt.match(/<[^>]*>/g)).toEqual(['<mark>', '</mark>']);
    expect(excerpt).toContain('below &lt; limits &amp; &quot;<mark>heron</mark>&quot;');
    expect(excerpt).toContain('&amp;lt;bold&amp;gt; patient&#39;s choice');
  });
});

describe('the search', () => {
  it('finds what the caller may read: its own, what is attached for it, and what is for all', async () => {
    const { member, admin, workspaceId } = workspace;
    await addText('Private of another', 'kingfisher', {
      access: 'private',
      ownerMemberId: admin.memberId,
    });
    await addText('Own', 'kingfisher', { access: 'private', ownerMemberId: member.memberId });
    await addText('For members', 'kingfisher', { access: 'workspace' });
    await addText('For everyone', 'kingfisher', { access: 'public' });
    const { fileId } = await addText('Attached', 'kingfisher', { access: 'private' });
    const chat = (await asMember('POST', '/chats', { channel: 'web-chat' })).body;
    await workspace.database.inWorkspace(workspaceId, (tx) =>
      tx('file_attachments').insert({
        workspace_id: workspaceId,
        file_id: fileId,
        chat_id: chat.id,
        member_id: member.memberId,
      }),
    );
    await insertIndexedFile(otherWorkspace, {
      title: 'Of another workspace',
      access: 'public',
      pages: [{ page: 1, passages: ['kingfisher'] }],
    });

    const seen = ['Attached', 'For everyone', 'For members', 'Own'];
    expect(await titles({ q: 'kingfisher' })).toEqual(seen);
    expect(await titles({ q: 'kingfisher' }, asAdmin)).toEqual([...seen, 'Private of another']);
  });

  it('needs all words, or any of them, with most of them first', async () => {
    await addText('Both', 'a bittern and a curlew');
    await addText('One', 'a bittern');
    expect(await titles({ q: 'bittern curlew' })).toEqual(['Both']);
    const [best, ...others] = await found({ q: 'curlew bittern', words: 'any' });
    expect(best.file.title).toBe('Both');
    expect(others).toHaveLength(1);
    expect(await titles({ q: 'bittern -curlew' })).toEqual(['One']);
    expect(await found({ q: 'bittern', limit: 1 })).toHaveLength(1);
  });

  it('finds nothing for words that no text is searched by', async () => {
    for (const q of ['-curlew', '!?', '"', '\ud83d\udc4d']) expect(await found({ q }), q).toEqual([]);
  });

  it('looks into a folder and those below it, as far as the caller sees them', async () => {
    const top = await newFolder({ name: 'Top' });
    const below = await newFolder({ name: 'Below', parentFolderId: top.id });
    const hidden = await newFolder({ name: 'Hidden', parentFolderId: top.id, access: 'private' });
    await addText('In top', 'plover', { folderId: top.id });
    await addText('In below', 'plover', { folderId: below.id });
    await addText('In hidden', 'plover', { folderId: hidden.id });
    await addText('Elsewhere', 'plover');

    expect(await titles({ q: 'plover', folderId: top.id })).toEqual(['In below', 'In top']);
    expect(await titles({ q: 'plover', folderId: top.id }, asAdmin)).toEqual([
      'In below',
      'In hidden',
      'In top',
    ]);
    expect(await titles({ q: 'plover', folderId: below.id })).toEqual(['In below']);
    expect(await titles({ q: 'plover' })).toHaveLength(4);
    expect(await search({ q: 'plover', folderId: hidden.id })).toMatchObject({ status: 404 });
    expect(await search({ q: 'plover', folderId: 987654321 })).toMatchObject({ status: 404 });
  });

  it('says how many files that the caller may read have not been read yet', async () => {
    const pending = { state: 'pending', pages: [] };
    const folder = await newFolder({ name: 'Pending' });
    await insertIndexedFile(workspace, { ...pending, access: 'private' });
    await insertIndexedFile(workspace, { ...pending, access: 'workspace' });
    await insertIndexedFile(workspace, { ...pending, access: 'public', folderId: folder.id });
    expect((await search({ q: '!' })).body).toEqual({ items: [], pages: [], pendingFiles: 2 });
    expect((await search({ q: 'water' })).body.pendingFiles).toBe(2);
    expect((await search({ q: 'water' }, asAdmin)).body.pendingFiles).toBe(3);
    expect((await search({ q: 'water', folderId: folder.id }, asAdmin)).body.pendingFiles).toBe(1);
  });

  it.each([
    [{ q: '' }, '/q'],
    [{ q: '   ' }, '/q'],
    [{ q: 'nul\u0000' }, '/q'],
    [{ q: 'x'.repeat(201) }, '/q'],
    [{}, '/q'],
    [{ q: 'x', limit: 51 }, '/limit'],
    [{ q: 'x', words: 'some' }, '/words'],
    [{ q: 'x', folderId: 'top' }, '/folderId'],
  ])('refuses the query %j', async (query, pointer) => {
    const { status, body } = await search(query as Query);
    expect([status, [...new Set(pointersOf(body))]]).toEqual([400, [pointer]]);
  });
});

describe('a search that takes too long', () => {
  beforeAll(async () => {
    await superuser(`create or replace function best_file_passages(
        words tsquery, as_written tsquery, reader bigint, reads_all boolean, reads_workspace boolean, folders bigint[], most_ranked integer, most integer
      ) returns table (passage_id bigint, rank real) language sql
      as $$ select 1::bigint, 1::real from pg_sleep(60) $$`);
  });

  it('is cancelled, and says what to do', async () => {
    const answer = await search({ q: 'kingfisher' });
    expect(answer).toMatchObject({ status: 503, body: { code: 'search_too_slow' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});
