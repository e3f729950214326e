import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { workflowSources } from './workflow-sources.js';

/**
 * A build step: bundles the workflow code once, so that workers need not do it at every start. Does nothing if no
 * compiled file that the bundle may contain has changed.
 */
const dist = fileURLToPath(new URL('..', import.meta.url));
const bundlePath = `${dist}workflow-bundle.js`;
const stampPath = `${dist}workflow-bundle.stamp`;

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(workflowSources));
  for (const room of ['workflows', 'domain']) {
    const files = await readdir(`${dist}${room}`, { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.js')).sort()) {
      hash.update(file).update(await readFile(`${dist}${room}/${file}`));
    }
  }
  return hash.digest('hex');
}

const current = await fingerprint();
const before = await readFile(stampPath, 'utf8').catch(() => '');
if (before !== current) {
  // Loaded only where it is needed: every npm script begins with this step.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const logger = new DefaultLogger('WARN');
  const { code } = await bundleWorkflowCode({ ...workflowSources, logger });
  await writeFile(bundlePath, code);
  await writeFile(stampPath, current);
}
