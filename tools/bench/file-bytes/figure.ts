import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryProbe } from '../../dev/memory/memory-probe.js';
import type { Figure, Samples } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addFile, storageFolderOf } from '../support/add-file.js';
import { peakGrowth } from '../support/peak-growth.js';
import { download, film, formOf, megabytes, upload } from './transfers.js';

type Way = 'download' | 'upload';

/** How the film is brought to and from an api at this address. */
async function transfersOf(stage: Stage, apiUrl: string): Promise<Record<Way, () => Promise<number>>> {
  const content = film();
  const { id } = await addFile(stage, { filename: 'film.mp4', content });
  const { body, type } = await formOf(content);
  const { workspace } = stage;
  const Authorization = `Bearer ${workspace.admin.apiKey}`;
  const files = `${apiUrl}/api/v2${workspace.path('/files')}`;
  return {
    download: () => download({ url: `${files}/${id}/download`, headers: { Authorization } }),
    upload: () => upload({ url: files, headers: { Authorization, 'Content-Type': type } }, body),
  };
}

async function rates(stage: Stage, way: Way): Promise<Samples> {
  const env = { STORAGE_FOLDER: storageFolderOf(stage) };
  const api = await stage.startApi({ env });
  const service = (await transfersOf(stage, api.url))[way];
  const content = film();
  const name = randomUUID();
  await writeFile(join(env.STORAGE_FOLDER, 'objects', name), content);
  const floor = await stage.startScript(new URL('./floor.ts', import.meta.url), { env });
  const url = `${floor.url}/${name}`;
  return {
    floor: () => (way === 'download' ? download({ url }) : upload({ url }, content)),
    measured: service,
  };
}

const rateOf = (way: Way, title: string, ratioAtLeast: number): Figure => ({
  name: `${way}-file`,
  title: `${title} of a file of ${megabytes} MB`,
  unit: 'MB/s',
  target: { ratioAtLeast },
  prepare: (stage) => rates(stage, way),
});

const transfers = 4;

/** The peak growth of the api's resident memory while it carries files, one after the other. */
const memoryOf = (way: Way, title: string): Figure => ({
  name: `${way}-file-memory`,
  title: `Growth of the api’s resident memory by ${title} of files of ${megabytes} MB`,
  unit: 'MB',
  target: { atMost: 30 },
  async prepare(stage) {
    const probe = await memoryProbe();
    const { nodeArgs = [], env } = probe.extras;
    const api = await stage.startApi({ nodeArgs, env: { ...env, STORAGE_FOLDER: storageFolderOf(stage) } });
    const transfer = (await transfersOf(stage, api.url))[way];
    const work = async () => {
      for (let time = 0; time < transfers; time += 1) await transfer();
    };
    return { measured: () => peakGrowth(api, probe, { warmUp: transfer, work, everyMs: 2 }) };
  },
});

export const fileBytes = {
  download: rateOf('download', 'Download', 0.6),
  upload: rateOf('upload', 'Upload', 0.5),
  downloadMemory: memoryOf('download', 'downloads'),
  uploadMemory: memoryOf('upload', 'uploads'),
};
