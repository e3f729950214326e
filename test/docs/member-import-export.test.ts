import { expect, it } from 'vitest';
import { memberColumns } from '../../domain/people/members/transfer/csv-columns.js';
import { readPage } from '../readme/markdown.js';

it('documents every column of a file of members', async () => {
  const { text } = await readPage('docs/member-import-export.md');
  const cells = [...text.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
  expect(cells).toEqual(expect.arrayContaining([...memberColumns.keys()].map((column) => `\`${column}\``)));
});
