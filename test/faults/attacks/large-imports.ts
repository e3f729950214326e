import { type Attack, addOwnType, type PreparedRequest, type Scene } from './attack.js';

const rows = 10_000;
const boundary = 'a-boundary';

function uploadOf({ workspace }: Scene, path: string, csv: string): PreparedRequest {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  const body = `${head}${csv}\r\n--${boundary}--\r\n`;
  const headers = {
    Authorization: `Bearer ${workspace.admin.apiKey}`,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': String(body.length),
  };
  return { method: 'POST', path: workspace.path(path), headers, body };
}

export const largeImports: Attack = {
  name: 'imports of ten thousand rows',
  expected: [200, 429],
  async prepare(scene) {
    const type = await addOwnType(scene, [{ slug: 'text', name: 'Text', fieldType: 'textarea' }]);
    const lines = (lineOf: (row: number) => string) =>
      Array.from({ length: rows }, (_, row) => lineOf(row)).join('\n');
    const members = `external_id,name\n${lines((row) => `row-${row},Sample ${row}`)}`;
    const records = `__externalId,text\n${lines((row) => `row-${row},${'x'.repeat(900)}`)}`;
    const importMembers = uploadOf(scene, '/members/import', members);
    const importRecords = uploadOf(scene, `/data-types/${type.id}/records/import`, records);
    return { requests: [importMembers, importRecords], concurrency: 4 };
  },
};
