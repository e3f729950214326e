import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alone } from './alone.js';

test('the files and folders of tests that run alone are there', () => {
  expect(alone.map((path) => path.replace(/\/\*.*$/, '')).filter((path) => !existsSync(path))).toEqual([]);
});
