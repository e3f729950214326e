import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { workflowBundle } from '../../support/run/backend-client.js';

/** The runs as they are, but soon continued as new; beside the bundle of all tests. Returns its file. */
export async function bundleImpatientRuns(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url)),
    workflowInterceptorModules: [fileURLToPath(new URL('impatient-runs.ts', import.meta.url))],
    logger: new DefaultLogger('WARN'),
  });
  const path = join(dirname((await workflowBundle()).path), 'impatient-runs.js');
  await writeFile(path, code);
  return path;
}
