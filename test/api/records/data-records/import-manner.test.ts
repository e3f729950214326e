import { describe, expect, it } from 'vitest';
import { importAs } from '../../../support/records/import-records.js';
import { useRecords } from '../../../support/records/use-records.js';

const suite = useRecords([
  { slug: 'reason', name: 'Reason', fieldType: 'text', required: true },
  { slug: 'visits', name: 'Visits', fieldType: 'integer', min: 0 },
]);
const { api, workspace, asAdmin } = suite;

const load = (content: string | Uint8Array, form = {}) =>
  importAs(api, workspace, workspace.admin)(`${suite.collection.path}/import`, content, form);

async function reasons(): Promise<unknown[]> {
  const { body } = await asAdmin('GET', suite.collection.path, undefined, { pageSize: 100 });
  return body.items.map(({ fieldValues }: { fieldValues: { reason: string } }) => fieldValues.reason);
}

describe('a dry run of an import of records', () => {
  it('says what the import would do, and writes nothing', async () => {
    await load('__externalId,reason\nvisit-1,Cough\n');
    const rows = Array.from({ length: 120 }, (_, index) => `new-${index},Cold,1`);
    const content = ['__externalId,reason,visits', 'visit-1,Fever,2', 'visit-2,Cold,many', ...rows].join(
      '\n',
    );

    const { status, lines, result } = await load(content, { dryRun: true });

    expect(status).toBe(200);
    expect(lines.map(({ type }) => type)).toEqual(['progress', 'progress', 'complete']);
    expect(result).toMatchObject({ total: 122, created: 120, updated: 1, failed: 1, failedRows: [3] });
    expect(await reasons()).toEqual(['Cough']);
  });

  it('leaves no trace in the audit log', async () => {
    const imports = async () => {
      const { body } = await asAdmin('GET', '/audit-events', undefined, { pageSize: 100 });
      return body.items.filter(({ action }: { action: string }) => action === 'records:imported').length;
    };
    const before = await imports();
    await load('reason\nCough\n', { dryRun: true });
    expect(await imports()).toBe(before);
    await load('reason\nCough\n');
    expect(await imports()).toBe(before + 1);
  });
});

describe('the columns of an import of records', () => {
  it('are what the sender says they are, in place of their names', async () => {
    const content = 'Grund des Besuchs;Zimmer;Anzahl\nHusten;7;3\n';
    expect(await load(content, { columns: 'reason,,visits' })).toMatchObject({
      result: { created: 1, failed: 0 },
    });
    expect(await reasons()).toContain('Husten');
  });

  it.each([
    ['more than the file has', 'reason,visits', '/columns', 'These are 2 columns, and the file has 1.'],
    ['unknown', 'cause', '/file', 'Column A (cause) is no field of the data type.'],
    ['none', ' ', '/file', 'No column is to be read.'],
  ])('are refused where they are %s', async (_what, columns, pointer, message) => {
    const { status, problem } = await load('Grund\nHusten\n', { columns });
    expect([status, problem.errors]).toEqual([400, [{ pointer, message, in: 'body' }]]);
  });
});

it('an import of records reads a file in windows-1252 if it is told so', async () => {
  const content = Buffer.from('reason\nM\xfcdigkeit \x96 gro\xdf\n', 'latin1');
  expect(await load(content)).toMatchObject({ status: 400, problem: { code: 'csv_malformed' } });
  expect(await load(content, { encoding: 'windows-1252' })).toMatchObject({ result: { created: 1 } });
  expect(await reasons()).toContain('Müdigkeit – groß');
});

it('the rows that an import of records refuses come back as a file, which can be put right and imported', async () => {
  const content = 'Grund;Zimmer;Anzahl\n"Husten;\nSchnupfen";7;x\n=1+1;8;-1\nGut;9;2\nKurz\n';
  const how = { columns: 'reason,,visits', failedRowsFile: true };

  const { result } = await load(content, how);

  expect(result.failedRowsFile).toBe(
    [
      '\ufeffreason,visits,__error',
      '"Husten;\nSchnupfen",x,Row 2: Visits must be a whole number',
      "'=1+1,-1,Row 3: Visits must not be less than 0",
      'Kurz,,"Row 5: has 1 of 2 cells; empty ones have to be there too"',
      '',
    ].join('\r\n'),
  );
  const corrected = result.failedRowsFile?.replace(',x,', ',4,').replace(',-1,', ',0,') ?? '';
  expect(await load(corrected)).toMatchObject({ result: { created: 3, failed: 0 } });
  expect(await reasons()).toEqual(expect.arrayContaining(['Husten;\nSchnupfen', '=1+1', 'Kurz']));
});

it('the file of refused rows has the first ones, as far as there is room', async () => {
  const rows = Array.from({ length: 20 }, () => `${'a'.repeat(50_000)},many`).join('\n');

  const { result } = await load(`reason,visits\n${rows}\n`, { dryRun: true, failedRowsFile: true });

  expect(result).toMatchObject({ failed: 20, failedRowsInFile: 10 });
  expect(result.failedRowsFile?.match(/\r\n/g)).toHaveLength(11);
});
