/**
 * Makes the recordings of the release under way those of a release, when it is made: `npx tsx
 * test/workflows/release-histories.ts 0.2.0`. From then on they never change.
 */
import { appendFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checksumsFile,
  checksumsOf,
  historiesFolder,
  listRecordings,
  unreleased,
} from './recording/releases.js';

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the release, such as 0.2.0.');
const folder = join(historiesFolder, version);
// Fails where the release has recordings already.
await rename(join(historiesFolder, unreleased), folder);
const added = (await listRecordings()).filter((path) => path.startsWith(`${version}/`));
await appendFile(checksumsFile, `${(await checksumsOf(added)).join('\n')}\n`);
