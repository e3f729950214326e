import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { createLabel } from '../../../../domain/kernel/labels.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { isName } from '../../../../domain/lib/names.js';
import { memberLabels } from '../../../../domain/people/member-labels/member-labels.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import type { FieldDefinition } from '../../../../domain/records/field-values.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import type { ApiResponse } from '../../../support/api/api.js';
import { useApi } from '../../../support/api/use-api.js';
import { hostileText, oneOf, seeded } from '../../../support/lib/hostile-texts.js';
import {
  addMember,
  addMemberRow,
  createWorkspace,
  type TestWorkspace,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { importFile } from '../../../support/workspace/import-members.js';

const { api, workspace, otherWorkspace } = useApi();

const get = (query = {}, at = workspace, who = at.admin): Promise<ApiResponse<string>> =>
  api.request('GET', at.path('/members/export'), { apiKey: who.apiKey, query });
const post = (body = {}, at = workspace): Promise<ApiResponse<string>> =>
  api.request('POST', at.path('/members/export'), { apiKey: at.admin.apiKey, body });

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });
const emails = (answer: ApiResponse<string>) => rowsOf(answer.body).map(({ email }) => email);

const person = (values = {}, at = workspace) =>
  addMemberRow(at, { memberRoleId: at.roles.member.id, ...values });

describeAccess({ api, workspace, otherWorkspace }, ['export by GET', 'export by POST'], () => {
  const call = {
    path: '/members/export',
    scope: 'members:read',
    needsPermission: true,
    namesItem: false,
  } as const;
  return [
    { ...call, method: 'GET' },
    { ...call, method: 'POST', body: {} },
  ];
});

describe('an export of members', () => {
  it('returns a file with a row per person and the columns of an import', async () => {
    const place = await createWorkspace(workspace.database);
    const label = { name: 'A, B', slug: 'a-b', color: '#000000' };
    const { slug } = await createLabel(place.context(), memberLabels, label);
    const fields = [{ slug: 'colour', name: 'Colour', fieldType: 'text' }] as FieldDefinition[];
    const single = { name: 'Intake', slug: 'intake', isCollection: false, fields };
    await createDataType(place.context(), single);
    await createDataType(place.context(), { ...single, slug: 'visits', isCollection: true });
    const csv =
      'email,phone,name,date_of_birth,external_id,description,labels,notify_email,notify_sms,notify_voice,form.intake.colour\r\n' +
      `a@example.com,+12025550123,"Doe, Jane",1980-02-29,7,'=1+1,${slug},true,false,true,red\r\n`;
    const { told } = await importFile(api, place, csv);
    expect(told).toMatchObject({ created: 1 });

    const answer = await get({ email: 'a@example.com' }, place);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="members.csv"');
    expect(answer.body).toBe(csv);
    const raw = await get({ email: 'a@example.com', neutralize: false }, place);
    expect(raw.body).toBe(csv.replace("'=1+1", '=1+1'));
  });

  it('contains the same members as the list with the same filters, by GET and POST', async () => {
    const place = await createWorkspace(workspace.database);
    const [one, two] = [await person({ name: 'One' }, place), await person({ name: 'Two' }, place)];
    await person({ name: 'Theirs' });
    const { id } = place.roles.admin;
    const cases: [Record<string, unknown>, (string | null)[]][] = [
      [{}, [place.admin.row.email, place.member.row.email, one.email, two.email]],
      [{ search: 'one' }, [one.email]],
      [{ memberRoleId: id }, [place.admin.row.email]],
      [{ email: two.email?.toUpperCase() }, [two.email]],
      [{ createdBefore: '2001-01-01T00:00:00Z' }, []],
    ];
    for (const [filter, expected] of cases) {
      expect(emails(await get(filter, place))).toEqual(expected);
      const body = filter.memberRoleId === undefined ? filter : { memberRoleId: [id] };
      expect(emails(await post(body, place))).toEqual(expected);
    }
  });

  it.each([
    ['GET', () => get({ memberRoleId: 'x' })],
    ['POST', () => post({ memberRoleId: ['x'] })],
  ])('refuses an invalid filter by %s', async (_, ask) => {
    const answer: ApiResponse<unknown> = await ask();
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it.each([{ more: 1 }, { phone: 'x' }])('refuses the invalid body %j', async (body) => {
    const errors = Object.keys(body).map((name) => ({ pointer: `/${name}` }));
    expect(await post(body)).toMatchObject({ status: 400, body: { errors } });
  });

  it('omits assistants, deleted members and values that the caller may not read', async () => {
    const place = await createWorkspace(workspace.database);
    const gone = await person({}, place);
    await api.request('DELETE', place.path(`/members/${gone.id}`), { apiKey: place.admin.apiKey });
    await person({ kind: 'assistant', email: null, phone: null, externalId: 'bot' }, place);
    const fields = [{ slug: 'a', name: 'A', fieldType: 'text' }] as FieldDefinition[];
    for (const slug of ['open', 'closed'])
      await createDataType(place.context(), { name: slug, slug, isCollection: false, fields });
    const permissions = ['members:read', 'data:read:open'];
    const reader = await addMember(place, { permissions, scopes: allScopes });

    const { body } = await get({}, place, reader);

    const rows = rowsOf(body);
    const people = [place.admin, place.member, reader];
    expect(rows.map(({ email }) => email)).toEqual(people.map(({ row }) => row.email));
    expect(Object.keys(rows[0] ?? {}).filter((name) => name.startsWith('form.'))).toEqual(['form.open.a']);
  });

  it('is complete over many batches', async () => {
    const place = await createWorkspace(workspace.database);
    const rows = Array.from({ length: 650 }, (_, index) => `${uniqueEmail()},${index}`);
    await importFile(api, place, `email,name\n${rows.join('\n')}\n`);
    const exported = rowsOf((await get({}, place)).body);
    expect(exported.slice(2).map(({ email, name }) => `${email},${name}`)).toEqual(rows);
  });
});

/** A field of each type with values worth testing, and a generator for a value of it. */
const nameOrNull = (text: string | null) => (text !== null && isName(text) ? text : null);

const hostileFields: [FieldDefinition, (pick: () => number) => unknown][] = [
  ['text', (pick: () => number) => hostileText(pick)] as const,
  ['textarea', (pick: () => number) => hostileText(pick, 400)] as const,
  ['number', (pick: () => number) => (pick() - 0.5) * 10 ** Math.floor(pick() * 30)] as const,
  ['integer', (pick: () => number) => Math.floor((pick() - 0.5) * 1e6)] as const,
  ['boolean', (pick: () => number) => pick() < 0.5] as const,
  ['date', () => '2030-01-31'] as const,
  ['datetime', () => '2030-01-31T12:00:00.000Z'] as const,
  ['time', () => '09:30'] as const,
  ['email', () => '-a=@example.com'.slice(1)] as const,
  ['phone', () => '+12025550123'] as const,
  ['url', () => 'https://example.com/?q=%2C'] as const,
  ['select', (pick: () => number) => hostileText(pick, 8)] as const,
  ['multiselect', (pick: () => number) => [`${hostileText(pick, 8)}x`, `x${hostileText(pick, 8)}`]] as const,
  ['json', (pick: () => number) => ({ a: [hostileText(pick), null, -1] })] as const,
].map(([fieldType, make]) => [{ slug: fieldType, name: fieldType, fieldType } as FieldDefinition, make]);

describe('a member export that is imported again', () => {
  it('changes no row, for hostile names and record values', async () => {
    const place = await createWorkspace(workspace.database);
    const pick = seeded(20_260_801);
    const fields = hostileFields.map(([field]) => field);
    const type = { name: 'Form', slug: 'form-a', isCollection: false, fields };
    const { id: typeId } = await createDataType(place.context(), type);
    await addLabels(place);
    const people = Array.from({ length: 150 }, (_, index) => {
      const blank = <T>(value: T) => (pick() < 0.2 ? null : value);
      const values = hostileFields.map(([{ slug }, make]) => [slug, blank(make(pick))]);
      const text = (max: number) => blank(hostileText(pick, max).trim() || null);
      const localPart = `${oneOf(pick, ['=', '+', '-', "'", 'a'])}${index}`;
      return {
        name: nameOrNull(text(6)),
        description: text(1_000),
        email: blank(`${localPart}@example.com`),
        phone: blank(uniquePhone()),
        externalId: `${hostileText(pick)}${index}`,
        notifySms: pick() < 0.5,
        labels: ['a', 'b-c', 'd_e'].filter(() => pick() < 0.5),
        fieldValues: Object.fromEntries(values.filter(([, value]) => !isEmptyValue(value))),
      };
    });
    await storePeople(place, typeId, people);

    const first = await get({}, place);
    const { told } = await importFile(api, place, first.body);

    expect(told.errors).toEqual([]);
    expect(told).toMatchObject({ total: 152, unchanged: 152, failed: 0 });
    expect((await post({}, place)).body).toBe(first.body);

    const copy = await createWorkspace(workspace.database);
    await createDataType(copy.context(), type);
    await addLabels(copy);
    const made = await importFile(api, copy, first.body);
    expect(made.told).toMatchObject({ created: 152, failed: 0 });
    const copied = (await get({}, copy)).body.split('\r\n');
    expect(copied.join('\r\n')).toContain(first.body.slice(first.body.indexOf('\r\n') + 2));
  });

  async function addLabels(at: TestWorkspace) {
    for (const slug of ['a', 'b-c', 'd_e'])
      await createLabel(at.context(), memberLabels, { name: slug, slug, color: '#000000' });
  }

  function isEmptyValue(value: unknown): boolean {
    return value === null || (typeof value === 'string' && value.trim() === '');
  }

  interface Hostile {
    name: string | null;
    email: string | null;
    phone: string | null;
    description: string | null;
    externalId: string;
    notifySms: boolean;
    labels: string[];
    fieldValues: Record<string, unknown>;
  }

  /** The data is stored through the API and not imported, because the import is under test. */
  async function storePeople(place: TestWorkspace, typeId: number, people: readonly Hostile[]) {
    const { apiKey } = place.admin;
    const labels = await api.request('GET', place.path('/member-labels'), { apiKey });
    const idOf = new Map(labels.body.items.map(({ slug, id }: { slug: string; id: number }) => [slug, id]));
    for (const { labels: slugs, fieldValues, ...values } of people) {
      const { status, body } = await api.request('POST', place.path('/members'), {
        apiKey,
        body: { ...values, labelIds: slugs.map((slug) => idOf.get(slug)) },
      });
      expect([status, body.errors]).toEqual([201, undefined]);
      const record = await api.request('POST', place.path(`/data-types/${typeId}/records`), {
        apiKey,
        body: { memberId: body.id, fieldValues },
      });
      expect([record.status, record.body.errors]).toEqual([201, undefined]);
    }
  }
});
