import { beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../../domain/kernel/scopes.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addMember,
  createWorkspace,
  randomTag,
  type TestMember,
} from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

const named = (values: object = {}) => ({ name: `Folder ${randomTag()}`, ...values });
const newFolder = async (values: object = {}, asCaller = asAdmin) =>
  (await asCaller('POST', '/folders', named(values))).body;

let seen: { id: number };
let link: { uuid: string };
beforeAll(async () => {
  seen = await newFolder({ access: 'workspace' });
  link = (await asAdmin('POST', `/folders/${seen.id}/shares`, {})).body;
});

describeAccess(
  { api, workspace, otherWorkspace },
  ['list', 'create in a folder of another', 'get', 'update', 'delete', 'files', 'share', 'links', 'revoke'],
  () => {
    const reading = { scope: 'files:read' as Scope, needsPermission: false };
    const writing = { scope: 'files:write' as Scope, needsPermission: true };
    const one = `/folders/${seen.id}`;
    return [
      { method: 'GET', path: '/folders', ...reading, namesItem: false },
      {
        method: 'POST',
        path: '/folders',
        body: named({ parentFolderId: seen.id }),
        ...writing,
        namesItem: false,
      },
      { method: 'GET', path: one, ...reading, namesItem: true },
      { method: 'PUT', path: one, body: { name: 'Other' }, ...writing, namesItem: true },
      { method: 'DELETE', path: one, ...writing, namesItem: true },
      { method: 'GET', path: `${one}/files`, ...reading, namesItem: true },
      { method: 'POST', path: `${one}/shares`, body: {}, ...writing, namesItem: true },
      { method: 'GET', path: `${one}/shares`, ...writing, namesItem: true },
      { method: 'DELETE', path: `${one}/shares/${link.uuid}`, ...writing, namesItem: true },
    ];
  },
);

describe('a folder', () => {
  it('is created at the root, with a slug of its name, private and of the caller', async () => {
    const answer = await asMember('POST', '/folders', { name: 'Über mich', description: 'Mine' });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        name: 'Über mich',
        slug: 'uber-mich',
        description: 'Mine',
        parentFolderId: null,
        access: 'private',
        ownerId: workspace.member.memberId,
        permissions: 15,
        shareCount: 0,
      },
    });
    expect((await asMember('GET', `/folders/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('takes the access of the folder above', async () => {
    expect(await newFolder({ parentFolderId: seen.id })).toMatchObject({
      parentFolderId: seen.id,
      access: 'workspace',
    });
  });

  it.each([
    ['no name', { name: undefined }, ['/name']],
    ['a blank name', { name: ' ' }, ['/name']],
    ['a slug in capitals', { slug: 'Big' }, ['/slug']],
    ['a name no slug can be made of', { name: '緊急' }, ['/slug']],
    ['a folder above that does not exist', { parentFolderId: 987_654_321 }, ['/parentFolderId']],
    ['an unknown access', { access: 'secret' }, ['/access']],
    ['an unknown field', { colour: 'red' }, ['/colour']],
  ])('is refused with %s', async (_what, values, pointers) => {
    const { status, body } = await asAdmin('POST', '/folders', { ...named(), ...values });
    expect([status, pointersOf(body)]).toEqual([400, pointers]);
  });

  it('has a slug that is unique in its place, also at the root, also for concurrent requests', async () => {
    for (const parentFolderId of [null, seen.id]) {
      const body = named({ slug: `twin-${randomTag()}`, parentFolderId });
      const answers = await Promise.all(Array.from({ length: 5 }, () => asAdmin('POST', '/folders', body)));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(4);
      for (const { body } of refused) expect([body.code, pointersOf(body)]).toEqual(['duplicate', ['/slug']]);
    }
    const slug = `twin-${randomTag()}`;
    expect((await asAdmin('POST', '/folders', named({ slug }))).status).toBe(201);
    expect((await asAdmin('POST', '/folders', named({ slug, parentFolderId: seen.id }))).status).toBe(201);
  });

  it('keeps omitted fields when it is changed, and refuses a change from an older ETag', async () => {
    const folder = await newFolder({ description: 'First' });
    const got = await asAdmin('GET', `/folders/${folder.id}`);
    const etag = got.headers.get('etag') ?? '';
    const headers = { 'If-Match': etag };
    const path = workspace.path(`/folders/${folder.id}`);
    const { apiKey } = workspace.admin;

    const changed = await api.request('PUT', path, { apiKey, headers, body: { name: 'Second' } });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...folder, name: 'Second', updatedAt: expect.anything() },
    });
    const late = await api.request('PUT', path, { apiKey, headers, body: { name: 'Third' } });
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
  });
});

describe('a private folder of another member', () => {
  it('is not found, and is left out of lists and of what is within it', async () => {
    const hidden = await newFolder();
    const within = await newFolder({ parentFolderId: hidden.id, access: 'workspace' });
    for (const [method, path, body] of [
      ['GET', `/folders/${hidden.id}`],
      ['PUT', `/folders/${hidden.id}`, { name: 'Mine' }],
      ['DELETE', `/folders/${hidden.id}`],
    ] as const) {
      expect(await asMember(method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    const listed = (await asMember('GET', '/folders', undefined, { pageSize: 100 })).body.items;
    const ids = listed.map(({ id }: { id: number }) => id);
    expect(ids).not.toContain(hidden.id);
    expect(ids).toContain(within.id);
    expect((await asMember('GET', `/folders/${within.id}`)).body).toMatchObject({
      parentFolderId: null,
      permissions: 1,
    });
    const refused = await asMember('POST', '/folders', named({ parentFolderId: hidden.id }));
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/parentFolderId']]);
  });

  it('cannot be made visible to others without the permission', async () => {
    const own = await newFolder({}, asMember);
    for (const access of ['workspace', 'public']) {
      expect(await asMember('PUT', `/folders/${own.id}`, { access })).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('files:write') },
      });
      expect((await asMember('POST', '/folders', named({ access }))).status).toBe(403);
    }
  });
});

describe('the tree of folders', () => {
  it('is listed by place and by parts of name and slug', async () => {
    const place = await createWorkspace(workspace.database);
    const inPlace = as(place.admin, place);
    const top = (await inPlace('POST', '/folders', { name: '100% sure' })).body;
    for (const name of ['Beta', 'Alpha']) await inPlace('POST', '/folders', { name, parentFolderId: top.id });
    const names = async (query: Record<string, string | number>) =>
      (await inPlace('GET', '/folders', undefined, query)).body.items.map(
        ({ name }: { name: string }) => name,
      );

    expect(await names({})).toEqual(['100% sure', 'Alpha', 'Beta']);
    expect(await names({ atRoot: 'true' })).toEqual(['100% sure']);
    expect(await names({ parentFolderId: top.id, sortOrder: 'desc' })).toEqual(['Beta', 'Alpha']);
    expect(await names({ search: '0%' })).toEqual(['100% sure']);
    expect(await names({ search: 'alp', pageSize: 1 })).toEqual(['Alpha']);
  });

  it('has a folder where it was moved, and back at the root', async () => {
    const [one, other] = [await newFolder(), await newFolder()];
    const moved = await asAdmin('PUT', `/folders/${one.id}`, { parentFolderId: other.id });
    expect(moved).toMatchObject({ status: 200, body: { parentFolderId: other.id } });
    const back = await asAdmin('PUT', `/folders/${one.id}`, { parentFolderId: null });
    expect(back).toMatchObject({ status: 200, body: { parentFolderId: null } });
  });

  it('refuses a folder within itself', async () => {
    const top = await newFolder();
    const middle = await newFolder({ parentFolderId: top.id });
    const bottom = await newFolder({ parentFolderId: middle.id });
    for (const { id } of [top, middle, bottom]) {
      const { status, body } = await asAdmin('PUT', `/folders/${top.id}`, { parentFolderId: id });
      expect([status, pointersOf(body)]).toEqual([400, ['/parentFolderId']]);
    }
  });

  it('stays a tree when two folders are moved into each other from both sides at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [await newFolder(), await newFolder()];
      const answers = await Promise.all([
        asAdmin('PUT', `/folders/${one.id}`, { parentFolderId: other.id }),
        asAdmin('PUT', `/folders/${other.id}`, { parentFolderId: one.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('has ten levels at most, also with what a moved folder brings', async () => {
    let parentFolderId: number | null = null;
    const levels: number[] = [];
    for (let level = 1; level <= 10; level += 1) {
      parentFolderId = (await newFolder({ parentFolderId })).id as number;
      levels.push(parentFolderId);
    }
    const eleventh = await asAdmin('POST', '/folders', named({ parentFolderId }));
    expect([eleventh.status, pointersOf(eleventh.body)]).toEqual([400, ['/parentFolderId']]);
    const pair = await newFolder();
    await newFolder({ parentFolderId: pair.id });
    const moved = await asAdmin('PUT', `/folders/${pair.id}`, { parentFolderId: levels[8] });
    expect([moved.status, pointersOf(moved.body)]).toEqual([400, ['/parentFolderId']]);
    expect((await asAdmin('PUT', `/folders/${pair.id}`, { parentFolderId: levels[7] })).status).toBe(200);
  });
});

describe('the deletion of a folder', () => {
  const statusOf = async (id: number) => (await asAdmin('GET', `/folders/${id}`)).status;

  it('deletes an empty one', async () => {
    const { id } = await newFolder({}, asMember);
    expect((await asMember('DELETE', `/folders/${id}`)).status).toBe(204);
    expect(await statusOf(id)).toBe(404);
  });

  it('is refused while it is not empty, unless told what becomes of its contents', async () => {
    const top = await newFolder();
    const below = await newFolder({ parentFolderId: top.id });
    const refused = await asAdmin('DELETE', `/folders/${top.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'folder_not_empty' } });
    expect((await asAdmin('DELETE', `/folders/${top.id}`, undefined, { contents: 'delete' })).status).toBe(
      204,
    );
    expect(await statusOf(below.id)).toBe(404);
  });

  it('moves its folders to another one, or to the root', async () => {
    const other = await newFolder();
    for (const [contents, parentFolderId] of [
      [`move:${other.id}`, other.id],
      ['move:root', null],
    ]) {
      const top = await newFolder();
      const below = await newFolder({ parentFolderId: top.id });
      expect((await asAdmin('DELETE', `/folders/${top.id}`, undefined, { contents })).status).toBe(204);
      expect((await asAdmin('GET', `/folders/${below.id}`)).body).toMatchObject({ parentFolderId });
    }
  });

  it('is refused where the contents cannot go', async () => {
    const top = await newFolder();
    const below = await newFolder({ parentFolderId: top.id, slug: 'same' });
    const other = await newFolder();
    await newFolder({ parentFolderId: other.id, slug: 'same' });
    const remove = (contents: string) => asAdmin('DELETE', `/folders/${top.id}`, undefined, { contents });

    for (const { id } of [top, below, { id: 987_654_321 }]) {
      const { status, body } = await remove(`move:${id}`);
      expect([status, pointersOf(body)]).toEqual([400, ['/contents']]);
    }
    expect(await remove('move:elsewhere')).toMatchObject({ status: 400 });
    expect(await remove(`move:${other.id}`)).toMatchObject({
      status: 409,
      body: { code: 'folder_slug_taken' },
    });
    expect(await statusOf(below.id)).toBe(200);
  });

  it('deletes nothing of others without the permission', async () => {
    const folder = await newFolder({}, asMember);
    await newFolder({ parentFolderId: folder.id });
    for (const contents of ['delete', 'move:root']) {
      const answer = await asMember('DELETE', `/folders/${folder.id}`, undefined, { contents });
      expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('files:write') } });
    }
  });

  it('is bounded', async () => {
    const top = await newFolder();
    await workspace.within((tx) =>
      tx.raw(
        `insert into folders (workspace_id, parent_folder_id, name, slug)
         select ?, ?, 'Folder', 'folder-' || n from generate_series(1, 1001) n`,
        [workspace.workspaceId, top.id],
      ),
    );
    for (const contents of ['delete', 'move:root']) {
      const answer = await asAdmin('DELETE', `/folders/${top.id}`, undefined, { contents });
      expect(answer).toMatchObject({ status: 409, body: { code: 'folder_too_large' } });
    }
    expect(await asAdmin('DELETE', `/folders/${top.id}`)).toMatchObject({
      body: { code: 'folder_not_empty' },
    });
  });
});

describe('a member with the permission files:read', () => {
  it('sees every folder, and changes none of others', async () => {
    const reader: TestMember = await addMember(workspace, { permissions: ['files:read'] });
    const hidden = await newFolder();
    const asReader = as(reader);
    expect(await asReader('GET', `/folders/${hidden.id}`)).toMatchObject({
      status: 200,
      body: { permissions: 1 },
    });
    expect((await asReader('PUT', `/folders/${hidden.id}`, { name: 'Mine' })).status).toBe(403);
    expect((await asReader('DELETE', `/folders/${hidden.id}`)).status).toBe(403);
  });
});
