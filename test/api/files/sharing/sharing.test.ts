import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShareToken } from '../../../../domain/files/shares/share-token.js';
import { createShare, listShares, revokeShare, type Shared } from '../../../../domain/files/shares/shares.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { type AddStoredFile, addStoredFile } from '../../../support/files/add-stored-file.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { addApiKey, randomTag, type TestMember } from '../../../support/workspace/factories.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi({ storage });

type Query = Record<string, string | number>;
const visit = (path: string, query: Query = {}, apiKey?: string, place = workspace) =>
  api.request('GET', place.path(`/sharing${path}`), { apiKey, query });
const addFolder = async (values: object = {}, asCaller = asAdmin): Promise<number> =>
  (await asCaller('POST', '/folders', { name: `Folder ${randomTag()}`, ...values })).body.id;
const addFile = (values: AddStoredFile = {}) => addStoredFile(workspace, storage, values);
const share = async (shared: Shared, by?: TestMember, expiresAt: string | null = null) =>
  createShare(workspace.context(by), shared, { expiresAt });
const usesOf = async (shared: Shared) => {
  const page = { page: 1, pageSize: 10, sortBy: 'createdAt', sortOrder: 'asc' } as const;
  return (await listShares(workspace.context(), shared, page)).items.map(({ uses }) => uses);
};
const titlesIn = ({ body }: { body: { items: { title: string }[] } }) => body.items.map(({ title }) => title);

interface Items {
  file: number;
  folder: number;
}
const items: Record<'private' | 'workspace' | 'public', Items> = {
  private: { file: 0, folder: 0 },
  workspace: { file: 0, folder: 0 },
  public: { file: 0, folder: 0 },
};
beforeAll(async () => {
  for (const access of ['private', 'workspace', 'public'] as const) {
    items[access] = { file: (await addFile({ access })).id, folder: await addFolder({ access }) };
  }
});

const tokenOfAnother = async () => (await share({ fileId: (await addFile()).id })).token;

const notFound = { status: 404, body: { code: 'not_found' } };

describe.each([
  ['a shared file', ({ file }: Items) => `/files/${file}`],
  ['the bytes of a shared file', ({ file }: Items) => `/files/${file}/contents/any-name`],
  ['a shared folder', ({ folder }: Items) => `/folders/${folder}`],
  ['the files of a shared folder', ({ folder }: Items) => `/folders/${folder}/files`],
])('access to %s', (_what, pathOf) => {
  it('needs no credentials if it is public', async () => {
    expect((await visit(pathOf(items.public))).status).toBe(200);
  });

  it('is not found without credentials if it is not public', async () => {
    expect(await visit(pathOf(items.private))).toMatchObject(notFound);
    expect(await visit(pathOf(items.workspace))).toMatchObject(notFound);
  });

  it('is given to members as elsewhere', async () => {
    const { member, admin } = workspace;
    expect((await visit(pathOf(items.workspace), {}, member.apiKey)).status).toBe(200);
    expect(await visit(pathOf(items.private), {}, member.apiKey)).toMatchObject(notFound);
    expect((await visit(pathOf(items.private), {}, admin.apiKey)).status).toBe(200);
  });

  it('is refused to an invalid credential, also if it is public', async () => {
    expect(await visit(pathOf(items.public), {}, 'nonsense')).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  it('is that of a visitor with an invalid session cookie', async () => {
    const headers = { Cookie: '__Host-session=nonsense; session=nonsense' };
    const path = workspace.path(`/sharing${pathOf(items.public)}`);
    expect((await api.request('GET', path, { headers })).status).toBe(200);
  });

  it('is refused to a credential that lacks the scope, which is named', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'files:read');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });
    expect(await visit(pathOf(items.public), {}, apiKey)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', detail: expect.stringContaining('files:read') },
    });
  });

  it('is that of a visitor for members of another workspace', async () => {
    const { apiKey } = otherWorkspace.admin;
    expect((await visit(pathOf(items.public), {}, apiKey)).status).toBe(200);
    expect(await visit(pathOf(items.workspace), {}, apiKey)).toMatchObject(notFound);
    expect(await visit(pathOf(items.public), {}, apiKey, otherWorkspace)).toMatchObject(notFound);
    expect(await visit(pathOf(items.public), {}, undefined, otherWorkspace)).toMatchObject(notFound);
  });

  it('is not found in a workspace that does not exist, or has no UUID', async () => {
    const nowhere = `/w/00000000-0000-4000-8000-000000000000/sharing${pathOf(items.public)}`;
    expect(await api.request('GET', nowhere)).toMatchObject({ status: 404 });
    expect([400, 404]).toContain((await api.request('GET', `/w/x/sharing${pathOf(items.public)}`)).status);
  });

  it.each<[string, () => Promise<{ token?: string; apiKey?: string }>]>([
    ['a visitor', async () => ({})],
    ['a visitor with an unknown token', async () => ({ token: createShareToken().token })],
    ['a visitor with the token of another file', async () => ({ token: await tokenOfAnother() })],
    ['a member', async () => ({ apiKey: workspace.member.apiKey })],
    [
      'a member with the token of another file',
      async () => ({ apiKey: workspace.member.apiKey, token: await tokenOfAnother() }),
    ],
    ['a member of another workspace', async () => ({ apiKey: otherWorkspace.member.apiKey })],
  ])('asks the database the same for %s, whether it is private or does not exist', async (_who, asker) => {
    const { token, apiKey } = await asker();
    const ask = (of: Items) => async () => {
      expect(await visit(pathOf(of), token === undefined ? {} : { token }, apiKey)).toMatchObject(notFound);
    };
    // Notes the use of the API key, which is done once a minute.
    await ask(items.private)();
    const missing = await statementsOf(ask({ file: 987_654_321, folder: 987_654_321 }));
    expect(missing.length).toBeGreaterThan(1);
    expect(await statementsOf(ask(items.private))).toEqual(missing);
  });

  it('is given by the token of a link while it is in force, and each use is counted', async () => {
    const file = (await addFile()).id;
    const folder = await addFolder();
    const path = pathOf({ file, folder });
    const shared = path.startsWith('/files') ? { fileId: file } : { folderId: folder };
    const { share: link, token } = await share(shared);

    expect((await visit(path, { token })).status).toBe(200);
    expect((await visit(path, { token }, workspace.member.apiKey)).status).toBe(200);
    expect(await visit(path)).toMatchObject(notFound);
    expect(await usesOf(shared)).toEqual([2]);

    await revokeShare(workspace.context(), shared, link.uuid);
    expect(await visit(path, { token })).toMatchObject(notFound);
    expect(await usesOf(shared)).toEqual([2]);
  });

  it.each([
    ['unknown', async () => createShareToken().token],
    ['of another form', async () => 'letmein'],
    ['of another file', async () => (await share({ fileId: (await addFile()).id })).token],
    ['of another folder', async () => (await share({ folderId: await addFolder() })).token],
  ])('is not given by a token that is %s, which does not hide what is public', async (_what, tokenOf) => {
    const token = await tokenOf();
    expect(await visit(pathOf(items.private), { token })).toMatchObject(notFound);
    expect((await visit(pathOf(items.public), { token })).status).toBe(200);
  });

  it('is not given by a token that has expired', async () => {
    const shared = pathOf(items.private).startsWith('/files')
      ? { fileId: items.private.file }
      : { folderId: items.private.folder };
    const { share: link, token } = await share(
      shared,
      undefined,
      new Date(Date.now() + 60_000).toISOString(),
    );
    expect((await visit(pathOf(items.private), { token })).status).toBe(200);
    await workspace.within((tx) =>
      tx.raw("update file_shares set expires_at = now() - interval '1 second' where id = ?", [link.id]),
    );
    expect(await visit(pathOf(items.private), { token })).toMatchObject(notFound);
  });
});

describe('a shared file', () => {
  it('is answered without what concerns members only', async () => {
    const { id, uuid } = await addFile({ access: 'public', name: 'Leaflet', description: 'On water' });
    expect((await visit(`/files/${id}`)).body).toEqual({
      id,
      uuid,
      title: 'Leaflet',
      description: 'On water',
      filename: 'leaflet.txt',
      mimeType: 'text/plain',
      fileSize: 19,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('has its bytes at any name, whole, in part, and as headers alone', async () => {
    const path = workspace.path(`/sharing/files/${items.public.file}/contents/any%2Fname.html`);
    const whole = await api.request('GET', path);
    expect([whole.status, whole.body]).toEqual([200, 'Drink enough water.']);
    expect(whole.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const part = await api.request('GET', path, { headers: { Range: 'bytes=6-11' } });
    expect([part.status, part.body]).toEqual([206, 'enough']);
    const head = await api.request('HEAD', path);
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, '', '19']);
  });

  it('that could run scripts is an attachment in a sandbox', async () => {
    const content = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const { id } = await addFile({ access: 'public', filename: 'logo.svg', content });
    const { status, headers } = await visit(`/files/${id}/contents/logo.svg`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a shared folder', () => {
  let folder: number;
  beforeAll(async () => {
    folder = await addFolder({ access: 'public' });
    for (const access of ['private', 'workspace', 'public'] as const)
      await addFile({ folderId: folder, access, name: access });
  });

  it('lists only the files that the caller may see, alone and with the folder', async () => {
    const { member, admin } = workspace;
    for (const [apiKey, titles] of [
      [undefined, ['public']],
      [otherWorkspace.admin.apiKey, ['public']],
      [member.apiKey, ['public', 'workspace']],
      [admin.apiKey, ['private', 'public', 'workspace']],
    ] as const) {
      const listed = await visit(`/folders/${folder}/files`, {}, apiKey);
      expect(titlesIn(listed)).toEqual(titles);
      expect(listed.body.total).toBe(titles.length);
      expect((await visit(`/folders/${folder}`, {}, apiKey)).body.files).toEqual(listed.body);
    }
  });

  it('shows by a link what is not private, and what the creator of the link owns', async () => {
    const { member } = workspace;
    const own = await addFolder({}, asMember);
    await addFile({ folderId: own, name: 'private of the admin' });
    await addFile({ folderId: own, name: 'workspace', access: 'workspace' });
    const mine = await addFile({ folderId: own, owner: member, name: 'private of the member' });
    const { token } = await share({ folderId: own }, member);

    expect(titlesIn(await visit(`/folders/${own}/files`, { token }))).toEqual([
      'private of the member',
      'workspace',
    ]);
    expect((await visit(`/files/${mine.id}`, { token })).status).toBe(200);
    expect(await visit(`/files/${items.workspace.file}`, { token })).toMatchObject(notFound);
    // The list and the file: what the link is not to counts nothing.
    expect(await usesOf({ folderId: own })).toEqual([2]);
  });

  it('has pages of 1 to 1,000 files, by title', async () => {
    const path = `/folders/${folder}/files`;
    const { apiKey } = workspace.admin;
    const second = await visit(path, { page: 2, pageSize: 2 }, apiKey);
    expect(second.body).toMatchObject({ page: 2, pageSize: 2, total: 3, totalPages: 2 });
    expect(titlesIn(second)).toEqual(['workspace']);
    expect((await visit(path, { pageSize: 1_000 })).status).toBe(200);
    for (const below of [path, `/folders/${folder}`]) {
      for (const query of [{ pageSize: 0 }, { pageSize: 1_001 }, { page: 0 }, { page: 'x' }] as Query[]) {
        const { status, body } = await visit(below, query);
        expect([status, pointersOf(body).length]).toEqual([400, 1]);
      }
    }
  });
});
