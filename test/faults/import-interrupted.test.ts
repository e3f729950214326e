import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { spoolPrefix } from '../../api/http/uploads/uploaded-file.js';
import { createLabel } from '../../domain/kernel/labels.js';
import { memberLabels } from '../../domain/people/member-labels/member-labels.js';
import { createDataType } from '../../domain/records/data-types/create-data-type.js';
import { apiAt } from '../support/api/api.js';
import { useConnection, useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startApiAlone, urlOf } from '../support/run/api-alone.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';
import { importFile, importForm } from '../support/workspace/import-members.js';

const total = 3_000;
const batch = 50;

let folder: string;
const started: ChildProcess[] = [];

const testDatabase = useDatabase();
const asSuperuser = useConnection(() => testDatabase.superuserUrl);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wes-folder-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An api in its own process, with a temporary folder of the test. */
async function startProcess() {
  const api = await startApiAlone(testDatabase.appUrl, { TMPDIR: folder });
  started.push(api.child);
  return { ...api, ...apiAt(await urlOf(api)) };
}

/** A workspace, and an import file of people with a label and a record each. */
async function scene() {
  const workspace = await createWorkspace(testDatabase.database);
  const label = await createLabel(workspace.context(), memberLabels, { name: 'Imported', color: '#336699' });
  const fields = [{ slug: 'colour', name: 'Colour', fieldType: 'text' }];
  const type = { name: 'Intake', slug: 'intake', isCollection: false, fields };
  await createDataType(workspace.context(), type);
  const rowOf = (index: number) => `imported-${index}@example.com,${label.slug},colour ${index}`;
  const rows = Array.from({ length: total }, (_, index) => rowOf(index));
  return { workspace, csv: `email,labels,form.intake.colour\n${rows.join('\n')}\n` };
}

/** The number of imported people, and how many of them lack their label or record. */
async function landed({ workspaceId }: TestWorkspace): Promise<{ people: number; halves: number }> {
  // Without current statistics of the grown tables, the count below compares every row with every other.
  await asSuperuser('analyze members, member_label_links, data_records, data_record_changes');
  return testDatabase.database.inWorkspace(workspaceId, async (tx) => {
    const { rows } = await tx.raw(`
      select count(*) as people, count(*) filter (where not (
        exists (select from member_label_links where member_id = members.id)
        and exists (select from data_record_changes join data_records on data_records.id = record_id
                    where data_records.member_id = members.id
                      and field_values ->> 'colour' = replace(split_part(email, '@', 1), 'imported-', 'colour ')))
      ) as halves
      from members where email like 'imported-%'`);
    return rows[0];
  });
}

/** Sends the file and reads the answer up to its first line; `leave` cuts the connection. */
async function beginImport(baseUrl: string, workspace: TestWorkspace, csv: string) {
  const leaving = new AbortController();
  const answer = await fetch(`${baseUrl}/api/v2${workspace.path('/members/import')}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${workspace.admin.apiKey}` },
    body: importForm(csv),
    signal: leaving.signal,
  });
  expect(answer.status).toBe(200);
  const read = await answer.body?.getReader().read();
  expect(Buffer.from(read?.value ?? []).toString()).toContain(`"type":"progress","current":${batch}`);
  return { leave: () => leaving.abort() };
}

async function expectWholeRows(workspace: TestWorkspace): Promise<number> {
  const { people, halves } = await landed(workspace);
  expect(halves).toBe(0);
  expect(people).toBeGreaterThanOrEqual(batch);
  expect(people).toBeLessThan(total);
  expect(people % batch).toBe(0);
  return people;
}

async function expectTheRestToLand(api: Parameters<typeof importFile>[0], scene: Scene, before: number) {
  const { told } = await importFile(api, scene.workspace, scene.csv);
  expect(told).toMatchObject({ total, failed: 0, created: total - before, unchanged: before });
  expect(await landed(scene.workspace)).toEqual({ people: total, halves: 0 });
}

type Scene = Awaited<ReturnType<typeof scene>>;

describe('an interrupted member import', { timeout: 120_000 }, () => {
  it('leaves only complete rows and can be repeated after the client disconnects', async () => {
    const api = await startProcess();
    const given = await scene();
    const { leave } = await beginImport(api.baseUrl, given.workspace, given.csv);

    leave();

    const over = () => api.log.find(({ operation }) => operation === 'importMembers');
    expect(await waitFor('the import is over', over)).toMatchObject({ code: 'client_gone' });
    expect((await readdir(folder)).filter((name) => name.startsWith(spoolPrefix))).toEqual([]);
    const before = await expectWholeRows(given.workspace);
    await expectTheRestToLand(api, given, before);
  });

  it('leaves only complete rows and can be repeated after the api is killed', async () => {
    const api = await startProcess();
    const given = await scene();
    await beginImport(api.baseUrl, given.workspace, given.csv);

    api.child.kill('SIGKILL');
    await once(api.child, 'close');

    await nobodyWrites();
    const before = await expectWholeRows(given.workspace);
    await expectTheRestToLand(await startProcess(), given, before);
  });
});

async function nobodyWrites(): Promise<void> {
  await waitFor('nobody writes any more', () =>
    testDatabase.database.inIdentity(async (tx) => {
      const { rows } = await tx.raw(`
        select count(*) as writing from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
      return rows[0].writing === 0;
    }),
  );
}
