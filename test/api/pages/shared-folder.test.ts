import { afterAll, expect, it } from 'vitest';
import { createShare, revokeShare } from '../../../domain/files/shares/shares.js';
import { PageVisitor } from '../../support/api/page-visitor.js';
import { useApi } from '../../support/api/use-api.js';
import { addStoredFile } from '../../support/files/add-stored-file.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { addMember } from '../../support/workspace/factories.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const { api, workspace, otherWorkspace, asAdmin } = useApi({ storage });

const pathOf = (folder: number | string, query = '', uuid = workspace.workspaceUuid) =>
  `/shared/${uuid}/folders/${folder}${query}`;
const addFolder = async (values: object): Promise<number> =>
  (await asAdmin('POST', '/folders', values)).body.id;

it('a link to a folder shows its files as a page, whose links have the token', async () => {
  const visitor = new PageVisitor(api);
  const folderId = await addFolder({ name: '<b>Leaflets</b>', description: 'For "partners" & guests' });
  const { id } = await addStoredFile(workspace, storage, {
    folderId,
    access: 'workspace',
    name: '<img src=x onerror=alert(1)>',
  });
  const { id: ofAnother } = await addStoredFile(workspace, storage, {
    folderId,
    access: 'private',
    owner: await addMember(workspace, { role: workspace.roles.admin }),
    name: 'A secret',
  });
  expect((await visitor.get(pathOf(folderId))).status).toBe(404);
  const { share, token } = await createShare(workspace.context(), { folderId }, { expiresAt: null });
  const page = await visitor.get(pathOf(folderId, `?token=${token}`));
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h1>&lt;b&gt;Leaflets&lt;/b&gt;</h1>');
  expect(page.text).toContain('For &quot;partners&quot; &amp; guests');
  expect(page.text).not.toContain('<img src=x');
  expect(page.text).not.toContain('A secret');
  expect(page.text).not.toContain(`/files/${ofAnother}/`);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const [, bytes = ''] =
    new RegExp(`href="(/api/v2/w/[^"]*/files/${id}/contents/[^"]*)"`).exec(page.text) ?? [];
  expect((await visitor.get(bytes)).status).toBe(200);

  await revokeShare(workspace.context(), { folderId }, share.uuid);
  expect((await visitor.get(pathOf(folderId, `?token=${token}`))).status).toBe(404);
});

it('a shared folder of many files has pages', async () => {
  const visitor = new PageVisitor(api, { 'Accept-Language': 'de' });
  const folderId = await addFolder({ name: 'Many', access: 'public' });
  for (let count = 0; count < 101; count += 1)
    await addStoredFile(workspace, storage, { folderId, access: 'public', name: `File ${1_000 + count}` });
  const first = await visitor.get(pathOf(folderId));
  expect(first.text).toContain('Dateien: 101');
  expect(first.text).toContain('href="?page=2"');
  expect(first.text).not.toContain('File 1100');
  const second = await visitor.get(pathOf(folderId, '?page=2'));
  expect(second.text).toContain('File 1100');
  expect(second.text).toContain('href="?page=1"');
});

it('what is no shared folder is no page', async () => {
  const visitor = new PageVisitor(api);
  const folder = await addFolder({ name: 'Public', access: 'public' });
  expect((await visitor.get(pathOf(folder))).status).toBe(200);
  expect((await visitor.get(pathOf(folder, '?page=none&token=a&token=b'))).status).toBe(200);
  for (const path of [
    pathOf(folder, '', otherWorkspace.workspaceUuid),
    pathOf(folder, '', 'none'),
    pathOf('none'),
    pathOf('99999999999999999999'),
  ]) {
    expect((await visitor.get(path)).status).toBe(404);
  }
});
