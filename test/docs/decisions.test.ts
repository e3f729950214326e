import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const index = readFileSync(new URL('README.md', folder), 'utf8');
const files = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));

it('lists each decision once, with the title, date and status of its record', () => {
  const rows = index.split('\n').filter((line) => /^\| \d/.test(line));

  expect(rows.map(withoutLinksOfStatus).sort()).toEqual(files.map(rowOf).sort());
});

it('gives a number to one record, whose title has the number of its file', () => {
  const numbers = files.map((name) => name.slice(0, 4));

  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
  expect(files.map(numberOfTitle)).toEqual(numbers);
});

it('has nothing in its tables but rows', () => {
  const tables = index.slice(index.indexOf('\n## ')).split('\n');
  const others = tables.filter((line) => line !== '' && !line.startsWith('| ') && !line.startsWith('## '));

  expect(others).toEqual([]);
});

function numberOfTitle(name: string): string {
  const [, number = ''] = /^# (\d+)\. /.exec(readFileSync(new URL(name, folder), 'utf8')) ?? [];
  return number.padStart(4, '0');
}

function rowOf(name: string): string {
  const record = readFileSync(new URL(name, folder), 'utf8');
  const [, number, title] = /^# (\d+)\. (.+)$/m.exec(record) ?? [];
  const [, date, status] = /^Date: ([\d-]+)\. Status: (.+)\.$/m.exec(record) ?? [];
  return withoutLinksOfStatus(`| ${number} | [${title}](${name}) | ${date} | ${status} |`);
}

/** Records and index link to other records from different places in the text; the numbers are the same. */
function withoutLinksOfStatus(row: string): string {
  return row.replaceAll(/\[(\d+)\]\([^)]*\)/g, '$1');
}
