import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findTemporal } from '../../../../tools/dev/provision/find-temporal.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

let onPath: string;
let cached: string;
let environment: Record<string, string>;

beforeEach(() => {
  const root = temporaryFolder();
  onPath = join(root, 'bin/temporal');
  cached = join(root, 'cache/workspace-engagement-service/bin/temporal');
  environment = { PATH: join(root, 'bin'), XDG_CACHE_HOME: join(root, 'cache') };
});

function place(file: string, mode = 0o755): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
}

test('prefers the Temporal program on PATH to the cached one', () => {
  place(onPath);
  place(cached);
  expect(findTemporal(environment)).toBe(onPath);
});

test('uses the cached Temporal program if PATH has none', () => {
  place(cached);
  expect(findTemporal(environment)).toBe(cached);
});

test('ignores a Temporal file that is not executable', () => {
  place(onPath, 0o644);
  mkdirSync(cached, { recursive: true });
  expect(findTemporal(environment)).toBeUndefined();
});
