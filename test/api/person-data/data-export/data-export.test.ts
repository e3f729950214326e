import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { exportActivities } from '../../../../activities/person-data/export-person-data.js';
import { apiPrefix } from '../../../../api/http/app.js';
import { ArchiveAddresses } from '../../../../domain/person-data/exports/archive-addresses.js';
import { exportLimits } from '../../../../domain/person-data/exports/limits.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { testLoginSecretText } from '../../../support/api/login.js';
import { useApi } from '../../../support/api/use-api.js';
import { days, MovedClock } from '../../../support/lib/moved-clock.js';
import { readArchive, rowsIn } from '../../../support/person-data/read-archive.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';
import { addApiKey, addMember, addMemberRow } from '../../../support/workspace/factories.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const clock = new MovedClock();
const suite = useApi({ storage, clock });
const { asAdmin } = suite;
const add = (values = {}) =>
  addMemberRow(suite.workspace, { memberRoleId: suite.workspace.roles.member.id, ...values });

/** Builds the newest export of a member, as its run does. */
async function build(memberId: number, of = suite.workspace): Promise<void> {
  const [{ id } = { id: 0 }] = await of.database.inWorkspace(of.workspaceId, (tx) =>
    tx('person_exports').where({ member_id: memberId }).orderBy('id', 'desc').limit(1).select('id'),
  );
  const { exportPersonData } = exportActivities({ db: of.database, clock, storage });
  const { workspaceId, workspaceUuid } = of;
  await new MockActivityEnvironment().run(exportPersonData, { workspaceId, workspaceUuid, exportId: id });
}

async function readyUrl(memberId: number): Promise<string> {
  await asAdmin('POST', `/members/${memberId}/data-export`);
  await build(memberId);
  return (await asAdmin('GET', `/members/${memberId}/data-export`)).body.downloadUrl;
}

async function codeAt(url: URL | string): Promise<[number, string]> {
  const answer = await fetch(url);
  return [answer.status, ((await answer.json()) as { code: string }).code];
}

describe('POST members/{member_id}/data-export', () => {
  it('begins an export, which GET follows to the archive', async () => {
    const { id } = await add({ name: 'Ada Sample' });

    const begun = await asAdmin('POST', `/members/${id}/data-export`);
    expect(begun).toMatchObject({
      status: 202,
      body: { memberId: id, state: 'building', includesInternal: true, downloadUrl: null, expiresAt: null },
    });
    expect((await asAdmin('GET', `/members/${id}/data-export`)).body).toEqual(begun.body);
    expect((await asAdmin('POST', `/members/${id}/data-export`)).body).toEqual(begun.body);
    await build(id);

    const { body } = await asAdmin('GET', `/members/${id}/data-export`);
    expect(body).toMatchObject({ uuid: begun.body.uuid, state: 'ready', failureReason: null });
    expect(new Date(body.expiresAt).getTime() - clock.now().getTime()).toBe(days(7));
    const answer = await fetch(body.downloadUrl);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="member-${id}-\\d{4}-\\d\\d-\\d\\d\\.zip"$`),
    );
    expect(answer.headers.get('cache-control')).toContain('private');
    const archive = Buffer.from(await answer.arrayBuffer());
    expect(archive.length).toBe(body.bytes);
    expect(rowsIn((await readArchive(archive)).get('people/member.jsonl'))).toMatchObject([
      { id, name: 'Ada Sample' },
    ]);
  });

  it('leaves out a label that was deleted, before its run has taken it away', async () => {
    const labels = [];
    for (const name of ['Gone', 'Kept'])
      labels.push((await asAdmin('POST', '/member-labels', { name })).body.id);
    const { id } = await add();
    await asAdmin('PUT', `/members/${id}`, { labelIds: labels });
    await asAdmin('DELETE', `/member-labels/${labels[0]}`);

    const answer = await fetch(await readyUrl(id));

    const archive = await readArchive(Buffer.from(await answer.arrayBuffer()));
    expect(rowsIn(archive.get('people/member-labels.jsonl'))).toMatchObject([{ labelName: 'Kept' }]);
  });

  it('starts one run', async () => {
    const { id } = await add();
    const { body } = await asAdmin('POST', `/members/${id}/data-export`);
    await asAdmin('POST', `/members/${id}/data-export`);
    const { workspaceId } = suite.workspace;
    const rows = await suite.workspace.within((tx) =>
      tx('outbox').where({ subject: body.uuid }).select('run_type', 'input'),
    );
    expect(rows).toEqual([
      {
        run_type: 'exportPersonData',
        input: { exportId: expect.any(Number), memberId: id, workspaceId, workspaceUuid: expect.any(String) },
      },
    ]);
  });

  it('begins one export however many ask at once', async () => {
    const { id } = await add();
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => asAdmin('POST', `/members/${id}/data-export`)),
    );
    expect(new Set(asked.map(({ body }) => body.uuid)).size).toBe(1);
  });

  it('keeps the archive until a new one is complete', async () => {
    const { id } = await add();
    const first = await readyUrl(id);
    await asAdmin('POST', `/members/${id}/data-export`);
    expect((await fetch(first)).status).toBe(200);
    await build(id);
    expect(await codeAt(first)).toEqual([404, 'not_found']);
  });

  it('of a member itself is without what members do not see, and apart from that of an admin', async () => {
    const member = await addMember(suite.workspace, { role: suite.workspace.roles.member });
    const asMember = suite.as(member);
    const path = `/members/${member.memberId}/data-export`;
    const ofAdmin = await asAdmin('POST', path);
    expect((await asMember('GET', path)).status).toBe(404);

    const { status, body } = await asMember('POST', path);

    expect({ status, body }).toMatchObject({
      status: 202,
      body: { includesInternal: false, requestedByMemberId: member.memberId },
    });
    expect(body.uuid).not.toBe(ofAdmin.body.uuid);
    expect((await asAdmin('GET', path)).body.uuid).toBe(ofAdmin.body.uuid);
  });

  it('is of a deleted member for those with the permission', async () => {
    const { id } = await add();
    await asAdmin('DELETE', `/members/${id}`);
    expect((await asAdmin('POST', `/members/${id}/data-export`)).status).toBe(202);
  });

  it('refuses an assistant, and a member whose data is erased', async () => {
    const { body } = await asAdmin('POST', '/assistants', { name: 'A', instructions: 'Be brief.' });
    expect(await asAdmin('POST', `/members/${body.memberId}/data-export`)).toMatchObject({
      status: 409,
      body: { code: 'member_is_assistant' },
    });
    const { id } = await add();
    const url = await readyUrl(id);
    await asAdmin('POST', `/members/${id}/erase`, { confirm: String(id) });
    expect(await asAdmin('POST', `/members/${id}/data-export`)).toMatchObject({
      status: 409,
      body: { code: 'member_erased' },
    });
    expect(await codeAt(url)).toEqual([404, 'not_found']);
  });

  it('is bounded for a member and a day', async () => {
    const { id } = await add();
    for (let count = 0; count < exportLimits.ofMemberInDay; count += 1) await readyUrl(id);
    expect(await asAdmin('POST', `/members/${id}/data-export`)).toMatchObject({
      status: 429,
      body: { code: 'too_many_exports' },
    });
    clock.advance(days(1));
    expect((await asAdmin('POST', `/members/${id}/data-export`)).status).toBe(202);
  });

  it('is bounded for a workspace at a time, also if all ask at once', async () => {
    const { workspace } = suite;
    await workspace.within((tx) =>
      tx('person_exports').whereNull('finished_at').update({ finished_at: new Date() }),
    );
    const members = await Promise.all(Array.from({ length: 14 }, () => add()));
    const asked = await Promise.all(members.map(({ id }) => asAdmin('POST', `/members/${id}/data-export`)));
    const statuses = asked.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(exportLimits.openOfWorkspace).fill(202), ...Array(4).fill(429)]);
    await workspace.within((tx) =>
      tx('person_exports').whereNull('finished_at').update({ finished_at: new Date() }),
    );
  });
});

describe('the address of an archive', () => {
  it('serves parts and headers alone, as other files', async () => {
    const url = await readyUrl((await add()).id);
    const part = await fetch(url, { headers: { Range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PK\u0003\u0004']);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringMatching(/^sandbox;/),
    ]);
  });

  it.each(['export', 'expires', 'signature'])('is not found if its %s was altered', async (name) => {
    const url = new URL(await readyUrl((await add()).id));
    const other = { export: suite.workspace.workspaceUuid, expires: '99999999999', signature: 'nonsense' };
    url.searchParams.set(name, other[name as keyof typeof other]);
    expect(await codeAt(url)).toEqual([404, 'not_found']);
  });

  it('is not found for another member or workspace', async () => {
    const [{ id }, other] = [await add(), await add()];
    const url = await readyUrl(id);
    expect(await codeAt(url.replace(`/members/${id}/`, `/members/${other.id}/`))).toEqual([404, 'not_found']);
    const { workspaceUuid } = suite.otherWorkspace;
    expect(await codeAt(url.replace(suite.workspace.workspaceUuid, workspaceUuid))).toEqual([
      404,
      'not_found',
    ]);
    const addresses = new ArchiveAddresses([testLoginSecretText], suite.api.baseUrl + apiPrefix);
    const exportUuid = new URL(url).searchParams.get('export') ?? '';
    expect(
      await codeAt(addresses.addressOf({ workspaceUuid, memberId: id, exportUuid }, clock.now())),
    ).toEqual([404, 'not_found']);
  });

  it('expires after a quarter of an hour or so, and the archive after a week', async () => {
    const { id } = await add();
    const url = await readyUrl(id);
    clock.advance(1_201_000);
    expect(await codeAt(url)).toEqual([403, 'address_expired']);
    clock.advance(days(7));
    const { body } = await asAdmin('GET', `/members/${id}/data-export`);
    expect(body).toMatchObject({ state: 'expired', downloadUrl: null, bytes: null });
  });
});

describe('the archive of a person', () => {
  it('is found by nobody of another workspace, who knows all its ids', async () => {
    const { workspace, otherWorkspace, api } = suite;
    const { id } = await add();
    const url = new URL(await readyUrl(id));
    const asStranger = suite.as(otherWorkspace.admin, otherWorkspace);
    for (const place of [workspace, otherWorkspace]) {
      for (const method of ['GET', 'POST']) {
        const answer = await api.request(method, place.path(`/members/${id}/data-export`), {
          apiKey: otherWorkspace.admin.apiKey,
        });
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    // An address of its own, for a member of its own, with the export of another.
    const own = await addMemberRow(otherWorkspace, { memberRoleId: otherWorkspace.roles.member.id });
    await asStranger('POST', `/members/${own.id}/data-export`);
    await build(own.id, otherWorkspace);
    const ownUrl = new URL((await asStranger('GET', `/members/${own.id}/data-export`)).body.downloadUrl);
    expect((await fetch(ownUrl)).status).toBe(200);
    ownUrl.searchParams.set('export', url.searchParams.get('export') ?? '');
    expect(await codeAt(ownUrl)).toEqual([404, 'not_found']);
  });

  it('is no file, so that nobody finds its bytes by the id of its object', async () => {
    const { workspace } = suite;
    const { id } = await add();
    await readyUrl(id);
    const [{ object_id: objectId } = { object_id: 0 }] = await workspace.within((tx) =>
      tx('person_exports').where({ member_id: id }).select('object_id'),
    );
    for (const path of ['', '/download', '/versions', '/contents/archive.zip'])
      expect((await asAdmin('GET', `/files/${objectId}${path}`)).status).toBe(
        path.startsWith('/c') ? 400 : 404,
      );
    expect((await asAdmin('GET', `/sharing/files/${objectId}`)).status).toBe(404);
  });

  it('is kept from members of the workspace without the permission, and from credentials without the scope', async () => {
    const { workspace, api } = suite;
    const { id } = await add();
    await readyUrl(id);
    const path = `/members/${id}/data-export`;
    const member = await addMember(workspace, { role: workspace.roles.member });
    const narrow = await addApiKey(workspace.database, workspace.admin.accountId, {
      scopes: ['members:read'],
    });
    for (const apiKey of [member.apiKey, narrow]) {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await api.request(method, workspace.path(path), { apiKey });
        expect({ status, body }).toMatchObject({ status: 403, body: { code: expect.any(String) } });
        expect(JSON.stringify(body)).not.toMatch(/downloadUrl|contents|uuid/);
      }
    }
  });
});

describe('GET members/{member_id}/data-export', () => {
  it('is not found for a member without export, and for none', async () => {
    const { id } = await add();
    expect((await asAdmin('GET', `/members/${id}/data-export`)).status).toBe(404);
    expect((await asAdmin('GET', '/members/999999999/data-export')).status).toBe(404);
  });
});

describeAccess(suite, ['requestDataExport', 'getDataExport'], () =>
  (['POST', 'GET'] as const).map((method) => ({
    method,
    path: `/members/${suite.workspace.member.memberId}/data-export`,
    scope: 'person_data:export',
    needsPermission: true,
    namesItem: true,
  })),
);
