import { describe, expect, it } from 'vitest';
import { findMemberLabelsBySlug } from '../../../../db/people/member-labels.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { createLabel } from '../../../../domain/kernel/labels.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { memberLabels } from '../../../../domain/people/member-labels/member-labels.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import type { FieldDefinition } from '../../../../domain/records/field-values.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addMember,
  addMemberRow,
  addRole,
  randomTag,
  type TestWorkspace,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { importFile, importForm } from '../../../support/workspace/import-members.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi({ storesEvents: true });

const run = (csv: string, fields = {}, member = workspace.admin) =>
  importFile(api, workspace, csv, { fields, member });

/** The only member that a list with this filter returns. */
async function member(query: Record<string, string>) {
  const answer = await asAdmin('GET', '/members', undefined, query);
  expect(answer.body.items).toHaveLength(1);
  return answer.body.items[0];
}

const person = (values = {}) =>
  addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...values });

const addLabel = (place: TestWorkspace = workspace) =>
  createLabel(place.context(), memberLabels, { name: `Label ${randomTag()}`, color: '#336699' });

function addType(fields: FieldDefinition[], { isCollection = false, place = workspace } = {}) {
  const slug = `type-${randomTag()}`;
  return createDataType(place.context(), { name: slug, slug, isCollection, fields });
}

async function records(typeId: number): Promise<{ id: number; memberId: number; fieldValues: object }[]> {
  return (await asAdmin('GET', `/data-types/${typeId}/records`)).body.items;
}

const text = (slug: string, more: Partial<FieldDefinition> = {}): FieldDefinition =>
  ({ slug, name: slug, fieldType: 'text', ...more }) as FieldDefinition;

describeAccess({ api, workspace, otherWorkspace }, ['import'], () => [
  {
    method: 'POST',
    path: '/members/import',
    scope: 'members:write',
    needsPermission: true,
    namesItem: false,
  },
]);

describe('an import of members', () => {
  it('creates members with the values of all columns and reports them', async () => {
    const [vip, dotted] = [await addLabel(), await addLabel()];
    const type = await addType([text('colour'), { ...text('size'), fieldType: 'integer' }]);
    const [email, phone] = [uniqueEmail(), uniquePhone()];

    const { status, headers, lines } = await run(
      `email,phone,name,date_of_birth,external_id,description,labels,notify_email,notify_sms,notify_voice,form.${type.slug}.colour,form.${type.slug}.size\n` +
        `${email.toUpperCase()},'${phone},"Doe, Jane",1980-02-29,E-1,"two\nlines","${vip.slug}, ${dotted.slug}",0,FALSE,1,red,7\n`,
    );

    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/x-ndjson');
    const counts = { total: 1, success: 1, failed: 0, created: 1, updated: 0, unchanged: 0 };
    const made = await member({ email });
    const lists = { errors: [], failedRows: [], columnsPassedOver: [] };
    const members = { createdMembers: [made.id], updatedMembers: [] };
    expect(lines).toEqual([
      { type: 'progress', current: 1, ...counts },
      { type: 'complete', ...counts, ...lists, ...members },
    ]);
    expect(made).toMatchObject({
      kind: 'human',
      email,
      phone,
      name: 'Doe, Jane',
      dateOfBirth: '1980-02-29',
      externalId: 'E-1',
      description: 'two\nlines',
      memberRoleId: workspace.roles.member.id,
      notifyEmail: false,
      notifySms: false,
      notifyVoice: true,
    });
    expect(made.labels.map(({ id }: { id: number }) => id).sort()).toEqual([vip.id, dotted.id].sort());
    expect(await records(type.id)).toMatchObject([
      { memberId: made.id, fieldValues: { colour: 'red', size: 7 } },
    ]);
  });

  it('accepts a byte order mark, CRLF, quoted column names and empty lines', async () => {
    const email = uniqueEmail();
    const { told } = await run(`\ufeff"email","name"\r\n\r\n"${email}","A ""B"" C"\r\n\r\n`);
    expect(told).toMatchObject({ total: 1, created: 1 });
    expect(await member({ email })).toMatchObject({ name: 'A "B" C' });
  });

  it('accepts a file without rows', async () => {
    const { lines } = await run('email\n');
    expect(lines).toMatchObject([{ type: 'complete', total: 0, success: 0 }]);
  });

  it('gives new members the requested role', async () => {
    const role = await addRole(workspace);
    const email = uniqueEmail();
    await run(`email\n${email}\n`, { newMemberRoleId: role.id });
    expect(await member({ email })).toMatchObject({ memberRoleId: role.id });
  });

  it('updates members by email or phone, and keeps blank and missing values', async () => {
    const label = await addLabel();
    const one = await person({ description: 'stays', name: 'Old' });
    const two = await person({ name: 'Old' });
    const { told } = await run(
      `email,phone,name,description,labels\n${one.email},,New,,${label.slug}\n,${two.phone},New, ,\n`,
    );
    expect(told).toMatchObject({ total: 2, updated: 2, created: 0, updatedMembers: [one.id, two.id] });
    expect(await member({ email: one.email ?? '' })).toMatchObject({
      name: 'New',
      phone: one.phone,
      description: 'stays',
      labels: [{ id: label.id }],
    });
    expect(await member({ phone: two.phone ?? '' })).toMatchObject({ name: 'New', email: two.email });
  });

  it('adds the other identifiers of a row to the member that one of them identifies', async () => {
    const one = await person({ phone: null });
    const phone = uniquePhone();
    const answer = await run(`email,phone,external_id\n${one.email},${phone},${one.uuid}\n`);
    expect(answer).toMatchObject({ told: { updated: 1, updatedMembers: [one.id] } });
    expect(await member({ phone })).toMatchObject({ id: one.id, externalId: one.uuid });
  });

  it('matches by external id only for a row without email and phone', async () => {
    const one = await person({ externalId: `x-${randomTag()}` });
    const csv = `email,external_id,name\n,${one.externalId},New\n${uniqueEmail()},${one.externalId},Newer\n`;
    expect((await run(csv)).told).toMatchObject({
      updated: 1,
      failed: 1,
      failedRows: [3],
      updatedMembers: [one.id],
      errors: ['Row 3: external_id: Another member of the workspace has this external id.'],
    });
    const answer = await member({ externalId: one.externalId ?? '' });
    expect(answer).toMatchObject({ name: 'New', email: one.email });
  });

  it('reports a row without changes as unchanged and writes nothing', async () => {
    const label = await addLabel();
    const type = await addType([text('colour')]);
    const csv = `email,name,labels,form.${type.slug}.colour\n${uniqueEmail()},A,${label.slug},red\n`;
    await run(csv);
    const traces = () =>
      workspace.within(async (tx) => [
        (await tx.raw('select count(*) as n from events')).rows[0].n,
        (await tx.raw('select count(*) as n from data_record_changes')).rows[0].n,
        (await tx.raw('select max(updated_at) as n from members')).rows[0].n,
      ]);
    const before = await traces();

    expect((await run(csv)).told).toMatchObject({ unchanged: 1, success: 1, updatedMembers: [] });
    expect(await traces()).toEqual(before);
  });

  it('counts a member as updated if only its records change', async () => {
    const type = await addType([text('colour')]);
    const one = await person();
    const { told } = await run(`email,form.${type.slug}.colour\n${one.email},red\n`);
    expect(told).toMatchObject({ updated: 1, updatedMembers: [one.id] });
  });

  it('lets a later row change what an earlier row has written about the same person', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const type = await addType([text('colour')]);
    const { told } = await run(
      `email,phone,name,form.${type.slug}.colour\n${email},${phone},First,red\n${email},,Second,\n,${phone},Third,blue\n`,
    );
    const made = await member({ email });
    const members = { createdMembers: [made.id], updatedMembers: [made.id] };
    expect(told).toMatchObject({ total: 3, created: 1, updated: 2, ...members });
    expect(made).toMatchObject({ phone, name: 'Third' });
    expect(await records(type.id)).toMatchObject([{ memberId: made.id, fieldValues: { colour: 'blue' } }]);
  });

  it('accepts a phone number that an earlier row has released', async () => {
    const one = await person();
    const csv = `email,phone,name\n${one.email},${uniquePhone()},Moved\n,${one.phone},Next\n`;
    expect((await run(csv)).told).toMatchObject({ updated: 1, created: 1 });
    expect(await member({ phone: one.phone ?? '' })).toMatchObject({ name: 'Next', email: null });
  });

  it('reads phone numbers in the format of the workspace’s region', async () => {
    const phone = uniquePhone();
    const national = `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`;
    await run(`phone,name\n${national},Local\n`);
    expect(await member({ phone })).toMatchObject({ name: 'Local' });
  });

  it('creates a new record if the existing one is retired', async () => {
    const type = await addType([text('colour')]);
    const email = uniqueEmail();
    const csv = (colour: string) => `email,name,form.${type.slug}.colour\n${email},${colour},${colour}\n`;
    await run(csv('red'));
    const [record] = await records(type.id);
    const id = record?.id ?? 0;
    await workspace.within((tx) => tx('data_records').where({ id }).update({ retired_at: new Date() }));
    expect((await run(csv('blue'))).told).toMatchObject({ updated: 1, failed: 0 });
    expect(await records(type.id)).toMatchObject([{ fieldValues: { colour: 'blue' } }]);
  });

  it('removes all labels for an empty list, and clears blank cells on request', async () => {
    const label = await addLabel();
    const type = await addType([text('colour'), text('size')]);
    const email = uniqueEmail();
    const form = `form.${type.slug}`;
    await run(`email,name,notify_sms,labels,${form}.colour,${form}.size\n${email},A,0,${label.slug},red,7\n`);

    expect((await run(`email,labels\n${email},""""""\n`)).told).toMatchObject({ updated: 1 });
    expect(await member({ email })).toMatchObject({ labels: [], name: 'A' });

    const other = uniqueEmail();
    const blank = `email,name,notify_sms,${form}.colour\n${email},,,\n${other},,,\n`;
    expect((await run(blank, { blankCells: 'clear' })).told).toMatchObject({ updated: 1, created: 1 });
    const emptied = await member({ email });
    expect(emptied).toMatchObject({ name: null, notifySms: false });
    expect(await records(type.id)).toMatchObject([{ memberId: emptied.id, fieldValues: { size: '7' } }]);
  });
});

describe('a refused row of a member import', () => {
  it('is reported with number and columns, and the other rows are imported', async () => {
    const label = await addLabel();
    const type = await addType([text('code', { max: 3 } as object), { ...text('n'), fieldType: 'number' }]);
    const emails = [uniqueEmail(), uniqueEmail()];
    const form = `form.${type.slug}`;
    const { told } = await run(
      `email,phone,date_of_birth,labels,notify_sms,${form}.code,${form}.n,name\n` +
        `${emails[0]},,,,,abc,1,first\n` +
        `nobody,12,3000-01-01,${label.slug},perhaps,a,1,private words\n` +
        `${uniqueEmail()},,,"missing-label,<private>",,a,1,\n` +
        `,,,,,a,1,private words\n` +
        `${uniqueEmail()},,,,,abcd,private,\n` +
        `${emails[1]},,,,,,,last\n`,
    );

    expect(told).toMatchObject({ total: 6, created: 2, failed: 4, failedRows: [3, 4, 5, 6] });
    expect(told.errors).toEqual([
      'Row 3: notify_sms: must be true or false, or 1 or 0; email: This is not an email address.; ' +
        'phone: This is not a phone number; E.164 (+12025550123) is best.; date_of_birth: This is not a date in the past.',
      'Row 4: labels: there is no label missing-label',
      'Row 5: One of email, phone, external_id is required',
      `Row 6: ${form}.code: code must not be more than 3 characters; ${form}.n: n must be a number`,
    ]);
    expect(JSON.stringify(told)).not.toContain('private');
    for (const email of emails) expect(await member({ email })).toMatchObject({ email });
  });

  it('leaves no member if its records are refused, also among a thousand rows', async () => {
    const type = await addType([text('must', { required: true }), text('may')]);
    const form = `form.${type.slug}`;
    const tag = randomTag();
    const rows = Array.from({ length: 1_000 }, (_, index) => {
      const email = `${tag}-${index}@example.com`;
      return index % 7 === 0 ? `${email},,x` : `${email},here,`;
    });
    const { told } = await run(`email,${form}.must,${form}.may\n${rows.join('\n')}\n`);

    expect(told).toMatchObject({ total: 1_000, created: 857, failed: 143 });
    expect(told.errors[0]).toBe(`Row 2: ${form}.must: must is required`);
    expect(told.failedRows).toEqual(rows.flatMap((_, index) => (index % 7 === 0 ? [index + 2] : [])));
    const found = await asAdmin('GET', '/members', undefined, { search: tag });
    expect(found.body.total).toBe(857);
  });

  it('is reported if it identifies two different members', async () => {
    const [one, two] = [await person(), await person()];
    const { told } = await run(`email,phone,name\n${one.email},${two.phone},Both\n`);
    expect(told.errors).toEqual(['Row 2: email and phone are those of two different members']);
    expect(await member({ email: one.email ?? '' })).toMatchObject({ name: one.name });
  });

  it('is reported if it identifies an assistant', async () => {
    const externalId = `bot-${randomTag()}`;
    const { memberId } = await createAssistant(workspace.context(), { name: 'Bot', instructions: '' });
    await workspace.within((tx) => tx('members').where({ id: memberId }).update({ external_id: externalId }));
    const { told } = await run(`external_id,name\n${externalId},Changed\n`);
    expect(told.errors).toEqual(['Row 2: The member is an assistant.']);
  });
});

it('refuses unknown columns of an import that have values, with the reasons, and passes over empty ones', async () => {
  const many = await addType([text('a')], { isCollection: true });
  const single = await addType([text('a')]);
  const theirs = await addType([text('a')], { place: otherWorkspace });
  const forms = [`form.${many.slug}.a`, `form.${single.slug}.b`, `form.${theirs.slug}.a`];
  const reasons = [
    'Column B (colour) is no column of members.',
    `Column C (form.${many.slug}.a) names a data type that holds many records of a member, which are imported as records.`,
    `Column D (form.${single.slug}.b) names no field of its data type.`,
    `Column E (form.${theirs.slug}.a) names no data type of the workspace.`,
  ];
  const email = uniqueEmail();
  const refused = await importFile(api, workspace, `email,colour,${forms}\n${email},red,1,2,3\n`);
  expect(refused).toMatchObject({ status: 400, body: { code: 'csv_columns_refused' } });
  expect(refused.body.errors.map(({ message }: { message: string }) => message)).toEqual(reasons);
  expect((await asAdmin('GET', '/members', undefined, { search: email })).body.total).toBe(0);

  const { told } = await importFile(api, workspace, `email,colour,${forms}\n${email},,,,\n`);
  expect(told).toMatchObject({ created: 1, failed: 0, columnsPassedOver: reasons });
});

describe('a refused file of a member import', () => {
  const count = async () => (await asAdmin('GET', '/members')).body.total;
  const good = () => `${uniqueEmail()}\n`;

  it.each([
    [
      'a column twice',
      () => `email,email\n${good()}`,
      'csv_columns_refused',
      'Column B (email) is there twice.',
    ],
    [
      'nobody to go by',
      () => 'name\nA\n',
      'csv_columns_refused',
      'At least one of the columns email, phone, external_id is required.',
    ],
    ['nothing', () => '', 'csv_malformed', 'The file is empty: it has not even names of columns.'],
    [
      'a quote that is not closed at its end',
      () => `email\n${good().repeat(300)}"x`,
      'csv_malformed',
      'Row 302 has a quote that is not closed.',
    ],
    [
      'too many rows',
      () => `email\n${Array.from({ length: 10_001 }, good).join('')}`,
      'csv_too_many_rows',
      'The file has more than 10000 rows.',
    ],
  ])('writes nothing: %s', async (_, csv, code, message) => {
    const before = await count();
    const body = { code, errors: [{ pointer: '/file', message }] };
    expect(await run(csv())).toMatchObject({ status: 400, body });
    expect(await count()).toBe(before);
  });

  it('writes nothing for more than 10 MB', async () => {
    const answer = await run(`email,description\n${`${uniqueEmail()},${'x'.repeat(9_000)}\n`.repeat(1_200)}`);
    expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  it('writes nothing for a missing file, an unknown role or an unknown form field', async () => {
    const send = (multipart: FormData) =>
      api.request('POST', workspace.path('/members/import'), { apiKey: workspace.admin.apiKey, multipart });
    const answer = await send(new FormData());
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/file' }] } });
    for (const newMemberRoleId of [otherWorkspace.roles.member.id, 999_999_999]) {
      const errors = [{ pointer: '/newMemberRoleId', message: 'There is no such member role.' }];
      const unknown = await send(importForm(`email\n${good()}`, { newMemberRoleId }));
      expect(unknown).toMatchObject({ status: 400, body: { errors } });
    }
    for (const name of ['newMemberRoleId', 'more', 'blankCells']) {
      const wrong = await send(importForm(`email\n${good()}`, { [name]: 'x' }));
      expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${name}` }] } });
    }
  });
});

describe('the permissions of a member import', () => {
  it('do not allow assigning a role with more permissions than the caller’s', async () => {
    const manager = await addMember(workspace, { permissions: ['members:write'] });
    const csv = `email\n${uniqueEmail()}\n`;
    const answer = await run(csv, { newMemberRoleId: workspace.roles.admin.id }, manager);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await run(csv, {}, manager)).told).toMatchObject({ created: 1 });
  });

  it('do not allow changing members with a higher role, except the caller itself', async () => {
    const manager = await addMember(workspace, { permissions: ['members:write'] });
    const { admin } = workspace;
    const csv = `email,name\n${admin.row.email},Taken over\n${manager.row.email},Myself\n${uniqueEmail()},New\n`;
    const { told } = await run(csv, {}, manager);
    expect(told).toMatchObject({ failedRows: [2], updated: 1, created: 1 });
    expect(told.errors[0]).toMatch(/^Row 2: You may not change this member\. The role holds \S+, which/);
    expect(await member({ email: admin.row.email ?? '' })).toMatchObject({ name: admin.row.name });
  });

  it('leave the roles of existing members unchanged', async () => {
    const role = await addRole(workspace);
    const one = await person();
    await run(`email,name\n${one.email},New\n`, { newMemberRoleId: role.id });
    expect(await member({ email: one.email ?? '' })).toMatchObject({ memberRoleId: one.memberRoleId });
  });

  it('include the permission for every data type in the file', async () => {
    const type = await addType([text('a')]);
    const csv = `email,form.${type.slug}.a\n${uniqueEmail()},x\n`;
    const manager = await addMember(workspace, { permissions: ['members:write'] });
    expect(await run(csv, {}, manager)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const permissions = ['members:write', `data:write:${type.slug}`];
    const writer = await addMember(workspace, { permissions, scopes: allScopes });
    expect((await run(csv, {}, writer)).told).toMatchObject({ created: 1 });
  });

  it('do not extend to members and labels of another workspace', async () => {
    const label = await addLabel(otherWorkspace);
    const theirs = otherWorkspace.member.row;
    const { told } = await run(`email,name,labels\n${theirs.email},Mine,\n${uniqueEmail()},,${label.slug}\n`);
    expect(told).toMatchObject({ created: 1, failedRows: [3] });
    expect(await workspace.within((tx) => findMemberLabelsBySlug(tx, [label.slug]))).toEqual([]);
    const untouched = await as(otherWorkspace.admin, otherWorkspace)('GET', `/members/${theirs.id}`);
    expect(untouched.body).toMatchObject({ name: theirs.name });
  });
});

describe('concurrent member imports', () => {
  it('create each person once', async () => {
    const emails = Array.from({ length: 200 }, uniqueEmail);
    const type = await addType([text('colour')]);
    const file = (order: readonly string[]) =>
      `email,name,form.${type.slug}.colour\n${order.map((email) => `${email},A,red`).join('\n')}\n`;
    const permissions = ['members:write', `data:write:${type.slug}`];
    const other = await addMember(workspace, { permissions, scopes: allScopes });
    const reversed = [...emails].reverse();

    // A member has at most two uploads in progress.
    const imports = [
      run(file(emails)),
      run(file(reversed)),
      run(file(emails), {}, other),
      run(file(reversed), {}, other),
    ];
    const told = (await Promise.all(imports)).map((one) => one.told);

    for (const one of told) expect(one).toMatchObject({ total: 200, failed: 0 });
    expect(told.reduce((sum, { created }) => sum + created, 0)).toBe(200);
    const counted = await workspace.within(async (tx) => [
      (await tx.raw('select count(*) as n from members where email = any(?)', [emails])).rows[0].n,
      (await tx.raw('select count(*) as n from data_records where data_type_id = ?', [type.id])).rows[0].n,
    ]);
    expect(counted).toEqual([200, 200]);
  });
});

it('a dry run of an import of members says what it would do, and writes nothing', async () => {
  const [known, unknown, csv] = [
    await person({ externalId: randomTag() }),
    randomTag(),
    'Kennung;Name;Alter\n',
  ];
  const rows = `${known.externalId};Kim Sample;7\n${unknown};Alex Sample;8\n;Sam Sample;9\n${unknown};Alex Other;8\n`;
  const fields = { columns: 'external_id,name', dryRun: true, failedRowsFile: true };

  const { told } = await run(csv + rows, fields);

  expect(told).toMatchObject({
    created: 1,
    updated: 2,
    failed: 1,
    createdMembers: [],
    updatedMembers: [known.id],
  });
  expect(told.failedRowsFile).toMatch(/^\ufeffexternal_id,name,__error\r\n,Sam Sample,"Row 4: /);
  expect(await member({ externalId: known.externalId ?? '' })).toMatchObject({ name: known.name });
  const { body } = await asAdmin('GET', '/members', undefined, { externalId: unknown });
  expect(body.total).toBe(0);
});
