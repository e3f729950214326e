import { expect, it } from 'vitest';
import { readFilesSearch } from '../../console/files/search.js';
import { kindOf, sizeOf } from '../../console/files/size.js';

it('reads what the address of the files says, and leaves out what it does not know', () => {
  expect(
    readFilesSearch({ folder: 7, open: 12, q: 2030, kind: 'image', access: 'public', sortBy: 'title' }),
  ).toMatchObject({ folder: 7, open: 12, q: '2030', kind: 'image', access: 'public', sortBy: 'title' });
  expect(readFilesSearch({ open: 'folder', all: true })).toMatchObject({ open: 'folder', all: true });
  const unknown = { folder: -1, open: 'x', q: '', kind: 'all', label: 'a', access: 'x', sortBy: 'size' };
  expect(Object.values(readFilesSearch(unknown)).filter((value) => value !== undefined)).toEqual([]);
});

it('says how large a file is, and of which kind', () => {
  const sizes = [0, 1, 999, 1_000, 1_250_000, 52_428_800, 3_000_000_000, 5e12];
  expect(sizes.map((bytes) => sizeOf(bytes, 'en'))).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1 kB',
    '1.3 MB',
    '52.4 MB',
    '3 GB',
    '5,000 GB',
  ]);
  expect(['application/pdf', 'image/png', 'application/x-tar'].map(kindOf)).toEqual(['PDF', 'PNG', 'TAR']);
});
