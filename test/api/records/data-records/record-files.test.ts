import { beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import type { FieldDefinition } from '../../../../domain/records/field-values.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { type SentFile, sendFile } from '../../../support/files/send-file.js';
import { importAs } from '../../../support/records/import-records.js';
import { toldEvents } from '../../../support/webhooks/told-events.js';
import {
  addApiKey,
  addMember,
  randomTag,
  type TestMember,
  uniqueEmail,
} from '../../../support/workspace/factories.js';
import { signUpDesk } from '../../identity/sign-up/sign-up-desk.js';

const { api, workspace, otherWorkspace, database, as, asAdmin, asMember } = useApi({ storesEvents: true });
const fields: FieldDefinition[] = [
  { slug: 'reason', name: 'Reason', fieldType: 'text', shouldIndex: true },
  { slug: 'scan', name: 'Scan', fieldType: 'file', shouldIndex: true },
  { slug: 'photos', name: 'Photos', fieldType: 'files', shouldIndex: true, max: 3 },
];
let type: { id: number; slug: string; path: string };

async function newType(of: FieldDefinition[] = fields, isCollection = true) {
  const input = { name: 'Visits', slug: `visits-${randomTag()}`, isCollection, fields: of };
  const { id, slug } = (await asAdmin('POST', '/data-types', input)).body;
  return { id, slug, path: `/data-types/${id}/records` };
}
beforeEach(async () => {
  type = await newType();
});

interface SentBack {
  id: number;
  uuid: string;
  title: string;
}
const newFile = async (sent: SentFile = {}): Promise<SentBack> => (await sendFile(api, workspace, sent)).body;
const idOf = async (sent: SentFile = {}) => (await newFile(sent)).id;
const post = (fieldValues: object, more: object = {}, call = asAdmin) =>
  call('POST', type.path, { fieldValues, memberId: workspace.member.memberId, ...more });
const get = (id: number, call = asAdmin) => call('GET', `${type.path}/${id}`);
const put = (id: number, fieldValues: object, call = asAdmin) =>
  call('PUT', `${type.path}/${id}`, { fieldValues });
const namesOf = (record: { files?: { title: string }[] }) => record.files?.map(({ title }) => title);
const titled = (name: string, sent: SentFile = {}) => newFile({ ...sent, fields: { ...sent.fields, name } });

describe('a record with files', () => {
  it('takes their ids and says what they are, wherever it is answered', async () => {
    const scan = await titled('The scan');
    const photo = await titled('A photo');
    const values = { scan: scan.id, photos: [photo.id] };
    const files = [scan, photo].map(({ id, uuid, title }) => ({
      id,
      uuid,
      title,
      filename: 'leaflet.txt',
      mimeType: 'text/plain',
    }));

    const { status, body: created } = await post(values, { externalId: 'visit-1' });

    expect(status).toBe(201);
    expect(created).toMatchObject({ fieldValues: values, files });
    const answers = await Promise.all([
      get(created.id),
      put(created.id, { reason: 'Cough' }),
      asAdmin('PUT', type.path, { fieldValues: {} }, { externalId: 'visit-1' }),
      asAdmin('POST', `/data-types/${type.id}/upsert/visit-1`, { fieldValues: {} }),
    ]);
    for (const { body } of answers) expect(body).toMatchObject({ fieldValues: values, files });
    const listed = (await asAdmin('GET', type.path)).body.items;
    expect(listed).toMatchObject([{ files }]);
    expect((await asAdmin('POST', `${type.path}/${created.id}/retire`, {})).body).toMatchObject({ files });
    expect((await asAdmin('POST', `${type.path}/${created.id}/restore`)).body).toMatchObject({ files });
  });

  it('says nothing of files where it has none', async () => {
    const { body } = await post({ reason: 'Cough' });
    expect(body).not.toHaveProperty('files');
    expect((await get(body.id)).body).not.toHaveProperty('files');
  });

  it('may be sent back as it was read', async () => {
    const { body } = await post({ scan: await idOf(), photos: [await idOf(), await idOf()] });
    const answer = await put(body.id, body.fieldValues);
    expect(answer).toMatchObject({ status: 200, body: { ...body, operation: 'unchanged' } });
  });

  it('tells receivers and its history the ids alone', async () => {
    const scan = await titled('Zqtitle');
    const { body } = await post({ scan: scan.id, photos: [scan.id] });
    const { rows } = await workspace.within((tx) =>
      tx.raw('select body from events where data_record_id = ?', [body.id]),
    );
    expect(rows).toHaveLength(2);
    for (const { body: told } of rows) {
      expect(JSON.parse(told).dataRecord.fields).toEqual({ scan: scan.id, photos: [scan.id] });
      expect(told).not.toMatch(/zqtitle|https?:|leaflet/i);
    }
    const changes = await asAdmin('GET', `${type.path}/${body.id}/changes`);
    expect(changes.body.items).toMatchObject([{ after: { scan: scan.id, photos: [scan.id] } }]);
    expect(JSON.stringify(changes.body)).not.toContain('Zqtitle');
    await toldEvents(workspace);
  });

  it.each<[string, object, string]>([
    ['more files than the field takes', { photos: [1, 2, 3, 4] }, '/fieldValues/photos'],
    ['an object', { scan: { id: 1 } }, '/fieldValues/scan'],
    ['a text', { photos: ['1'] }, '/fieldValues/photos'],
    ['an address', { scan: 'https://files.example.com/1' }, '/fieldValues/scan'],
  ])('refuses %s', async (_what, values, pointer) => {
    const answer = await post(values);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, [pointer]]);
  });
});

describe('the files that a caller may put into records', () => {
  /** The same answer, whatever there is. */
  async function refused(fileId: number, call = asMember) {
    const { memberId } = workspace.member;
    const { status, body } = await post({ scan: fileId }, { memberId }, call);
    expect({ status, body: { ...body, requestId: 0 } }).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        errors: [{ pointer: '/fieldValues/scan', message: 'Scan names no file that the caller may read' }],
      },
    });
    return body.errors;
  }

  it('are those that it may read: others are answered like those that do not exist', async () => {
    const foreign = (await sendFile(api, otherWorkspace)).body.id;
    const gone = await idOf();
    await asAdmin('DELETE', `/files/${gone}`);
    const answers = [];
    for (const id of [foreign, gone, await idOf(), 2 ** 53 - 1]) answers.push(await refused(id));
    expect(new Set(answers.map((errors) => JSON.stringify(errors))).size).toBe(1);

    const own = await idOf({ by: workspace.member });
    const shown = await idOf({ fields: { access: 'workspace' } });
    expect((await post({ scan: own, photos: [shown] }, {}, asMember)).status).toBe(201);
  });

  it('are none with a credential without the scope of reading files, which sees none in records either', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'files:read');
    const apiKey = await addApiKey(database.database, workspace.admin.accountId, { scopes });
    const scan = await idOf({ fields: { access: 'public' } });
    const answer = await post({ scan }, {}, as({ apiKey }));
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [{ pointer: '/fieldValues/scan', message: expect.stringContaining('scope files:read') }],
      },
    });
    const { id } = (await post({ scan })).body;
    const seen = await get(id, as({ apiKey }));
    expect(seen.body.fieldValues).toEqual({ scan });
    expect(seen.body).not.toHaveProperty('files');
    expect((await put(id, { scan, reason: 'Cough' }, as({ apiKey }))).status).toBe(200);
  });

  it('are checked in batches, one item at a time', async () => {
    const [own, secret] = [await idOf({ by: workspace.member }), await idOf()];
    const records = [{ fieldValues: { scan: own } }, { fieldValues: { photos: [own, secret] } }];
    const bulk = (body: object) => asMember('POST', `${type.path}/bulk`, body);

    const answer = await bulk({ records });
    expect(answer.body).toMatchObject({
      created: 1,
      failed: 1,
      results: [{ status: 'created' }, { status: 'failed', errors: [{ pointer: '/fieldValues/photos' }] }],
    });
    const atomic = await bulk({ records, atomic: true });
    expect([atomic.status, pointersOf(atomic.body)]).toEqual([400, ['/records/1/fieldValues/photos']]);
  });

  it('are at most 10,000 in a batch', async () => {
    const records = Array.from({ length: 501 }, () => ({
      fieldValues: { photos: Array.from({ length: 20 }, (_, index) => index + 1) },
    }));
    const answer = await asAdmin('POST', `${type.path}/bulk`, { records });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/records']]);
    const fewer = await asAdmin('POST', `${type.path}/bulk`, { records: records.slice(0, 500) });
    expect(fewer.body).toMatchObject({ failed: 500 });
  });

  it('are those of the person in a sign-up, whatever the credential may read', async () => {
    const single = await newType(fields, false);
    const secret = await idOf();
    const shown = await idOf({ fields: { access: 'public' } });
    const signUp = (values: object) =>
      signUpDesk(api, workspace)({ email: uniqueEmail() }, { [single.slug]: { values } });

    const answer = await signUp({ scan: secret });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, [`/data/${single.slug}/values/scan`]]);
    expect((await signUp({ scan: shown })).status).toBe(201);
    expect((await signUp({ photos: [2 ** 50] })).status).toBe(400);
  });
});

describe('who reads files of records', () => {
  let scan: SentBack;
  let nurse: TestMember;
  beforeEach(async () => {
    scan = await titled('The scan');
    nurse = await addMember(workspace, { permissions: ['data:read', 'data:write'] as never[] });
  });
  const readsFile = async (call = asMember) => (await call('GET', `/files/${scan.id}`)).status;

  it('is the member of the record, as long as the record holds the file', async () => {
    expect(await readsFile()).toBe(404);
    const { id } = (await post({ scan: scan.id })).body;

    expect(await readsFile()).toBe(200);
    expect((await asMember('GET', `/files/${scan.id}/download`)).status).toBe(200);
    expect(namesOf((await get(id, asMember)).body)).toEqual(['The scan']);

    await put(id, { scan: null });
    expect(await readsFile()).toBe(404);
    await put(id, { scan: scan.id });
    expect(await readsFile()).toBe(200);
    await asAdmin('DELETE', `${type.path}/${id}`);
    expect(await readsFile()).toBe(404);
  });

  it('is no colleague who reads the record only', async () => {
    const { id } = (await post({ scan: scan.id })).body;
    const reader = await addMember(workspace, { permissions: ['data:read'] });
    const seen = await get(id, as(reader));
    expect(seen.body.fieldValues).toEqual({ scan: scan.id });
    expect(seen.body).not.toHaveProperty('files');
    expect((await asAdmin('GET', type.path)).body.items).toMatchObject([{ files: [{ id: scan.id }] }]);
    expect((await as(reader)('GET', type.path)).body.items[0]).not.toHaveProperty('files');
    expect(await readsFile(as(reader))).toBe(404);
  });

  it('is not every member where the record is shown to all, nor the member where it is hidden', async () => {
    const shared = (await post({ scan: scan.id }, { accessMode: 3 })).body;
    expect(await readsFile(as(nurse))).toBe(404);
    expect((await get(shared.id, as(nurse))).body.fieldValues).toEqual({ scan: scan.id });
    await asAdmin('DELETE', `${type.path}/${shared.id}`);

    const hidden = (await post({ scan: scan.id }, { accessMode: 2 })).body;
    expect(await readsFile()).toBe(404);
    await asAdmin('PUT', `${type.path}/${hidden.id}`, { fieldValues: {}, accessMode: 1 });
    expect(await readsFile()).toBe(200);
    await asAdmin('PUT', `${type.path}/${hidden.id}`, { fieldValues: {}, accessMode: 2 });
    expect(await readsFile()).toBe(404);
  });

  it('is no writer who moves the record to itself, and none whom it shows its own hidden record', async () => {
    const writer = await addMember(workspace, { permissions: ['records:write', 'data:read'] });
    await post({ scan: scan.id }, { externalId: 'x' });
    const moved = await as(writer)('POST', type.path, {
      fieldValues: {},
      externalId: 'x',
      memberId: writer.memberId,
    });
    expect(moved).toMatchObject({
      status: 201,
      body: { memberId: writer.memberId, fieldValues: { scan: scan.id } },
    });
    expect(moved.body).not.toHaveProperty('files');
    expect(await readsFile(as(writer))).toBe(404);
    expect(await readsFile()).toBe(404);

    const about = { memberId: writer.memberId, accessMode: 2 };
    const { id } = (await post({ scan: scan.id }, about)).body;
    await as(writer)('PUT', `${type.path}/${id}`, { fieldValues: {}, accessMode: 0 });
    expect(await readsFile(as(writer))).toBe(404);
  });

  it('is no member that keeps what a chat showed it, by a record of its own', async () => {
    const chat = (await asMember('POST', '/chats', { channel: 'web-chat' })).body;
    const colleague = await addMember(workspace, { permissions: ['chats:read', 'chats:write'] });
    const shown = await titled('Shown', { by: workspace.member });
    const joined = await asAdmin('POST', `/chats/${chat.id}/participants`, { memberId: colleague.memberId });
    await asMember('POST', `/chats/${chat.id}/messages`, { content: 'Here', files: [shown.id] });
    const own = { memberId: colleague.memberId };
    const held = await post({ scan: shown.id }, own, as(colleague));
    expect([held.status, namesOf(held.body)]).toEqual([201, ['Shown']]);

    const removed = await asAdmin('DELETE', `/chats/${chat.id}/participants/${joined.body.id}`);
    expect(removed.status).toBeLessThan(300);

    expect((await as(colleague)('GET', `/files/${shown.id}`)).status).toBe(404);
    expect((await get(held.body.id, as(colleague))).body).not.toHaveProperty('files');
  });
});

describe('a file that was deleted', () => {
  it('stays in the record as an id, which says no more than one that may not be read', async () => {
    const scan = await titled('The scan');
    const { id } = (await post({ scan: scan.id, photos: [scan.id] })).body;
    await asAdmin('DELETE', `/files/${scan.id}`);

    const { body } = await get(id);
    expect(body.fieldValues).toEqual({ scan: scan.id, photos: [scan.id] });
    expect(body).not.toHaveProperty('files');
    expect((await put(id, { ...body.fieldValues, reason: 'Cough' })).status).toBe(200);
    expect((await post({ scan: scan.id })).status).toBe(400);
  });

  it('changes the ETag of the record, so that a write by the older one is refused', async () => {
    const scan = await idOf();
    const { id } = (await post({ scan })).body;
    const path = workspace.path(`${type.path}/${id}`);
    const { apiKey } = workspace.admin;
    const { headers } = await api.request('GET', path, { apiKey });
    await asAdmin('DELETE', `/files/${scan}`);
    const written = await api.request('PUT', path, {
      apiKey,
      body: { fieldValues: { reason: 'Cough' } },
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
    expect(written.status).toBe(412);
  });
});

describe('lists of records with files', () => {
  it('leave out the files of records for which there is no room', async () => {
    type = await newType([{ slug: 'photos', name: 'Photos', fieldType: 'files' }]);
    const photos: number[] = [];
    for (let count = 0; count < 20; count += 1) photos.push(await idOf());
    const records = Array.from({ length: 52 }, () => ({ fieldValues: { photos } }));
    await asAdmin('POST', `${type.path}/bulk`, { records });

    const { items } = (await asAdmin('GET', type.path, undefined, { pageSize: 100, sortOrder: 'desc' })).body;

    const shown = items.map(({ files = [], filesAreCut = false }) => [files.length, filesAreCut]);
    expect(shown).toEqual([...Array.from({ length: 50 }, () => [20, false]), [0, true], [0, true]]);
    expect((await get(items[51].id)).body.files).toHaveLength(20);
    const page = await asAdmin('GET', type.path, undefined, { pageSize: 50, sortOrder: 'desc' });
    expect(page.body.items.some((item: object) => 'filesAreCut' in item)).toBe(false);
  });

  it('are filtered by a file, and by whether there is one', async () => {
    const [one, two] = [await idOf(), await idOf()];
    await post({ reason: 'A', scan: one, photos: [one, two] });
    await post({ reason: 'B', scan: two });
    await post({ reason: 'C' });
    const found = async (filter: string) =>
      (await asAdmin('GET', type.path, undefined, { filter })).body.items
        .map(({ fieldValues }: { fieldValues: { reason: string } }) => fieldValues.reason)
        .sort();

    expect(await found(`scan:eq:${one}`)).toEqual(['A']);
    expect(await found(`scan:in:${one},${two}`)).toEqual(['A', 'B']);
    expect(await found(`photos:eq:${two}`)).toEqual(['A']);
    expect(await found('scan:empty:true')).toEqual(['C']);
    expect(await found('photos:empty:true')).toEqual(['B', 'C']);
  });

  it.each([
    ['scan:gt:1', '/filter', 'eq, in and empty'],
    ['photos:lte:1', '/filter', 'eq, in and empty'],
    ['scan:prefix:1', '/filter', 'no texts'],
    ['scan:eq:scan.pdf', '/filter', 'must be an id'],
  ])('refuse the filter %s', async (filter, pointer, message) => {
    const answer = await asAdmin('GET', type.path, undefined, { filter });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer, message: expect.stringContaining(message) }] },
    });
  });

  it.each(['scan', 'photos'])('are not sorted by the field %s', async (slug) => {
    const answer = await asAdmin('GET', type.path, undefined, { sortBy: `field:${slug}` });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/sortBy']]);
  });

  it('do not search names of files', async () => {
    const scan = await titled('Zqfound');
    await post({ reason: 'Cough', scan: scan.id });
    expect((await asAdmin('GET', type.path, undefined, { search: 'zqfound' })).body.total).toBe(0);
  });
});

describe('CSV files with files of records', () => {
  it('have their ids, which an import checks like any other request', async () => {
    const [own, secret] = [await idOf({ by: workspace.member }), await idOf()];
    const load = (cells: string, by = workspace.member) =>
      importAs(api, workspace, by)(`${type.path}/import`, `reason,scan,photos\n${cells}\n`);

    const { result } = await load(`A,${own},"${own}"\nB,${secret},\nC,,${own}; ${secret}\nD,x,`);
    expect(result).toMatchObject({ created: 1, failed: 3, failedRows: [3, 4, 5] });
    expect(result.errors).toEqual([
      'Row 3: Scan names no file that the caller may read',
      'Row 4: Photos names no file that the caller may read',
      'Row 5: Scan must be an id',
    ]);

    const table: string = (await asMember('GET', `${type.path}/export`)).body;
    expect(table.trim().split('\n')[1]).toMatch(new RegExp(`,A,${own},${own}\\s*$`));
    const again = await importAs(api, workspace, workspace.member)(`${type.path}/import`, table);
    expect(again.result).toMatchObject({ unchanged: 1, failed: 0 });
  });

  it('of members check their form fields by the rights of who imports', async () => {
    const single = await newType(fields, false);
    const secret = await idOf();
    const keeper = await addMember(workspace, {
      permissions: ['members:write', 'members:import'] as never[],
    });
    const table = `email,form.${single.slug}.scan\n${uniqueEmail()},${secret}\n`;
    const byKeeper = await importAs(api, workspace, keeper)('/members/import', table);
    expect(byKeeper.result.created ?? 0).toBe(0);
    const byAdmin = await importAs(api, workspace, workspace.admin)('/members/import', table);
    expect(byAdmin.result).toMatchObject({ created: 1 });
  });
});

describe('fields whose type changes', () => {
  const change = (of: FieldDefinition[]) => asAdmin('PUT', `/data-types/${type.id}`, { fields: of });
  const as_ = (fieldType: string) =>
    fields.map((field) => (field.slug === 'scan' ? { ...field, fieldType } : field));

  it('keep their files, and make none of numbers that are no files', async () => {
    await post({ scan: await idOf() });
    for (const fieldType of ['integer', 'number', 'member', 'files', 'json']) {
      const of = as_(fieldType).map((field) => ({ ...field, shouldIndex: false }));
      expect(await change(of)).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    }
    expect(await change(fields.filter(({ slug }) => slug !== 'scan'))).toMatchObject({ status: 400 });

    type = await newType(as_('integer'));
    await post({ scan: await idOf() });
    expect(await change(fields)).toMatchObject({ status: 400, body: { code: 'records_would_break' } });
    expect((await asAdmin('GET', `/data-types/${type.id}`)).body.fields[1]).toMatchObject({
      fieldType: 'integer',
    });
  });

  it('change freely while no record has a value', async () => {
    await post({ reason: 'Cough' });
    for (const fieldType of ['files', 'integer', 'file'])
      expect((await change(as_(fieldType))).status).toBe(200);
  });
});
