import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { csvForm } from '../../../support/records/import-records.js';

const suite = useApi();
const { api, workspace } = suite;

describeAccess(suite, ['preview'], () => [
  {
    method: 'POST',
    path: '/csv-files/preview',
    scope: 'workspace:read',
    needsPermission: false,
    namesItem: false,
    multipart: csvForm('reason\nCough\n'),
  },
]);

async function preview(content: string | Uint8Array) {
  const { status, body } = await api.request('POST', workspace.path('/csv-files/preview'), {
    apiKey: workspace.admin.apiKey,
    multipart: csvForm(content),
  });
  return { status, body };
}

describe('a preview of a CSV file', () => {
  it.each<[string, string | Uint8Array, string, string]>([
    ['commas', 'Name,Größe\nÄnne,"1\n2"\n', 'utf-8', ','],
    [
      'semicolons, a byte order mark and Windows line ends',
      '\ufeffName;Größe\r\nÄnne;"1\n2"\r\n',
      'utf-8',
      ';',
    ],
    ['UTF-16', Buffer.from('\ufeffName\tGröße\r\nÄnne\t"1\n2"\r\n', 'utf16le'), 'utf-16le', '\t'],
    ['windows-1252', Buffer.from('Name;Gr\xf6\xdfe\r\n\xc4nne;"1\n2"\r\n', 'latin1'), 'windows-1252', ';'],
  ])('says how one with %s is read', async (_what, content, encoding, separator) => {
    expect(await preview(content)).toEqual({
      status: 200,
      body: { encoding, separator, columns: ['Name', 'Größe'], rows: [['Änne', '1\n2']], total: 1 },
    });
  });

  it('has the first five rows, the beginnings of long cells and the number of all rows', async () => {
    const { body } = await preview(`note\n${`${'x'.repeat(300)}\n`.repeat(9)}`);
    expect(body).toMatchObject({ total: 9, rows: Array(5).fill(['x'.repeat(100)]) });
  });

  it.each([
    ['is empty', '', 'csv_malformed'],
    ['has a quote that is not closed', 'name\n"Kim\n', 'csv_malformed'],
    ['has too many rows', `name\n${'Kim\n'.repeat(10_001)}`, 'csv_too_many_rows'],
  ])('refuses one that %s', async (_what, content, code) => {
    expect(await preview(content)).toMatchObject({ status: 400, body: { code } });
  });
});
