import { describe, expect, it } from 'vitest';
import { maxCellLength, maxImportRows, openCsv, shortRow } from '../../../../domain/records/csv/open-csv.js';
import { allOf, csvFile } from '../../../support/lib/csv-file.js';

const expected = {
  unread: (name: string) => (['name', 'email', 'note'].includes(name) ? null : 'is not known here'),
  required: ['name'],
};

async function read(content: string | Uint8Array) {
  const file = await openCsv(csvFile(content), expected);
  return { columns: file.columns, total: file.total, rows: await allOf(file.rows()) };
}

describe('openCsv', () => {
  const read123 = {
    columns: ['name', 'note'],
    total: 2,
    rows: [
      { row: 2, cells: ['Alex', 'one\ntwo'] },
      { row: 3, cells: ['Kim', ''] },
    ],
  };

  it.each([
    ['lines that end in LF', 'name,note\nAlex,"one\ntwo"\nKim,\n'],
    ['lines that end in CRLF', 'name,note\r\nAlex,"one\ntwo"\r\nKim,\r\n'],
    ['lines that end in CR', 'name,note\rAlex,"one\ntwo"\rKim,\r'],
    ['lines that end in several of them', 'name,note\r\nAlex,"one\ntwo"\nKim,\r\n'],
    ['lines that end in LF but for the last', 'name,note\nAlex,"one\ntwo"\nKim,'],
    ['a byte order mark, quoted names and blanks', '\ufeff"name", note \nAlex,"one\ntwo"\nKim,\n'],
    ['empty, unnamed columns at the end', 'name,note,,\nAlex,"one\ntwo",,\nKim,,, \n'],
  ])('reads a file with %s', async (_title, content) => {
    expect(await read(content)).toEqual(read123);
  });

  it('numbers rows as a spreadsheet does: empty rows count, lines within a cell do not', async () => {
    const { total, rows } = await read('\nname,note\n\n\nAlex,"one\n\ntwo"\n,\n , \nKim,\n\n');
    expect(total).toBe(2);
    expect(rows.map(({ row }) => row)).toEqual([5, 8]);
  });

  it('removes the apostrophe that was put before a formula', async () => {
    const { rows } = await read("name,note\n'=1+1,''=1+1\n's Gravenhage,+1\n");
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['=1+1', "'=1+1"],
      ["'s Gravenhage", '+1'],
    ]);
  });

  it('reads a file with column names only', async () => {
    expect(await read('name')).toEqual({ columns: ['name'], total: 0, rows: [] });
  });

  it('reads the maximum number of rows', async () => {
    const { total } = await read(`name\n\n${'Alex\n'.repeat(maxImportRows)}\n\n`);
    expect(total).toBe(maxImportRows);
  });
});

it('openCsv refuses unknown columns that have values, which would be lost', async () => {
  const file = csvFile('colour,name,my size,empty,note\n,Alex, ,,x\nred,Kim,9,,y\n');
  await expect(openCsv(file, expected)).rejects.toMatchObject({
    code: 'csv_columns_refused',
    errors: [
      { pointer: '/file', message: 'Column A (colour) is not known here.' },
      { pointer: '/file', message: 'Column C is not known here.' },
    ],
  });
});

it('openCsv skips unknown columns without values and names them', async () => {
  const file = await openCsv(csvFile('colour,name,my size,note\n,Alex, ,x\n'), expected);

  expect(file.columns).toEqual(['name', 'note']);
  expect(file.columnsPassedOver).toEqual([
    'Column A (colour) is not known here.',
    'Column C is not known here.',
  ]);
  expect(await allOf(file.rows())).toEqual([{ row: 2, cells: ['Alex', 'x'] }]);
});

it.each<[string, string | Uint8Array]>([
  ['commas', 'name,note\nPäivi,"a;b, c"\n'],
  ['semicolons', 'name;note\nPäivi;"a;b, c"\n'],
  ['quoted names and semicolons', '"name";"note"\r\n"Päivi";"a;b, c"\r\n'],
  ['tabs', 'name\tnote\nPäivi\t"a;b, c"\n'],
  [
    'tabs in UTF-16, as spreadsheets save it',
    Buffer.from('\ufeffname\tnote\r\nPäivi\t"a;b, c"\r\n', 'utf16le'),
  ],
  ['UTF-16 of the other order', Buffer.from('\ufeffname;note\nPäivi;"a;b, c"\n', 'utf16le').swap16()],
  ['names in other letters', 'Name,NOTE\nPäivi,"a;b, c"\n'],
  ['a byte order mark', '\ufeffName;Note\nPäivi;"a;b, c"\n'],
])('openCsv reads a file with %s', async (_what, content) => {
  const file = await openCsv(csvFile(content), expected);
  expect(file.columns).toEqual(['name', 'note']);
  expect(await allOf(file.rows())).toEqual([{ row: 2, cells: ['Päivi', 'a;b, c'] }]);
});

it('openCsv leaves a row that is too short to what writes it', async () => {
  const file = await openCsv(csvFile('name,note,colour\nAlex,,\nKim\nSam,x\n'), expected);
  const rows = await allOf(file.rows());
  expect(rows.map(({ cells }) => shortRow(cells, file.columns) === undefined)).toEqual([true, false, true]);
});

describe('openCsv with an invalid file', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'The file is empty'],
    ['a file of empty lines', '\n\n,,\n', 'The file is empty'],
    ['text after a closing quote', 'name\nAlex\n"Kim" S\n', 'Row 3 has text after a closing quote'],
    ['a quote in the middle of a cell', 'name\n\nKi"m\n', 'Row 3 has a quote within a cell'],
    ['a quote that is not closed', 'name\nAlex\n"Kim\nSam\n', 'Row 3 has a quote that is not closed'],
    ['a row with too many cells', 'name,note\nAlex,,x\n', 'Row 2 has more cells than the 2 columns'],
    ['NUL', 'name\nAlex\nK\u0000im\n', 'Row 3 holds a NUL character'],
    ['Latin-1', Buffer.from('name\nZo\u00eb\n', 'latin1'), 'has to be text in UTF-8'],
    ['half of UTF-16', Buffer.from('\ufeffname\nAlex\n', 'utf16le').subarray(0, -1), 'as text in UTF-16'],
    ['half a character at the end', Buffer.from('name\nZo\u00eb').subarray(0, -1), 'has to be text in UTF-8'],
    ['a cell that is too long', `name\n${'x'.repeat(maxCellLength + 1)}\n`, 'Row 2 has more than 65536 char'],
    ['a row that is too long', `name\nAlex\n${','.repeat(3_000_000)}`, 'Row 3 is too long'],
    ['a row of many quoted lines', `name\n"${',\n'.repeat(2_000_000)}`, 'Row 2 is too long'],
  ])('rejects %s', async (_title, content, message) => {
    await expect(openCsv(csvFile(content), expected)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'csv_malformed',
      message: expect.stringContaining(message),
      errors: [{ pointer: '/file' }],
    });
  });

  it.each<[string, string, string[]]>([
    [
      'nothing but unknown columns',
      'colour,size\n',
      [
        'Column A (colour) is not known here.',
        'Column B (size) is not known here.',
        'The column name is missing.',
      ],
    ],
    ['a column twice', 'name,note,note\n', ['Column C (note) is there twice.']],
    ['a column without a name', 'name,,note\n', ['Column B has no name.']],
    ['a column that is missing', 'note\n', ['The column name is missing.']],
    [
      'all that is wrong at once, without what people wrote',
      `Alex Sample,alex@example.com,${','.repeat(24)}x\n`,
      [
        'Column A is not known here.',
        'Column B is not known here.',
        ...[...'CDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `Column ${letter} has no name.`),
        'Column AA (x) is not known here.',
        'The column name is missing.',
      ],
    ],
  ])('rejects %s', async (_title, content, messages) => {
    await expect(openCsv(csvFile(content), expected)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'csv_columns_refused',
      errors: messages.map((message) => ({ pointer: '/file', message })),
    });
  });

  it('rejects more columns than the limit', async () => {
    await expect(openCsv(csvFile(`${'a,'.repeat(2_000)}a\n`), expected)).rejects.toMatchObject({
      errors: [{ message: 'The file has more than 2000 columns.' }],
    });
  });

  it('rejects more rows than the limit', async () => {
    const content = `name\n${'Alex\n'.repeat(maxImportRows + 1)}`;
    await expect(openCsv(csvFile(content), expected)).rejects.toMatchObject({ code: 'csv_too_many_rows' });
  });
});
