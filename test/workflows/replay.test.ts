import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.js';
import { workflowBundle } from '../support/backend-client.js';
import { installRuntime } from '../support/install-runtime.js';

const folder = fileURLToPath(new URL('histories/', import.meta.url));
const files = await readdir(folder);

async function historyOf(file: string): Promise<temporal.api.history.v1.History> {
  return temporal.api.history.v1.History.fromObject(JSON.parse(await readFile(folder + file, 'utf8')));
}

/** A change that breaks one of these breaks runs that are under way: it has to use `patched`. */
describe('recorded histories', () => {
  it.each(files)('%s can be replayed', async (file) => {
    installRuntime();
    const { path } = await workflowBundle();

    await Worker.runReplayHistory({ workflowBundle: { codePath: path } }, await historyOf(file));
  });

  it('would tell if the story were another one', async () => {
    installRuntime();
    const { path } = await workflowBundle();
    const history = await historyOf('deliver-messages.json');
    const started = history.events[0]?.workflowExecutionStartedEventAttributes;
    if (started?.workflowType) started.workflowType.name = 'answerChat';

    const replayed = Worker.runReplayHistory({ workflowBundle: { codePath: path } }, history);

    await expect(replayed).rejects.toThrow(DeterminismViolationError);
  });

  it('exist of every type of run', async () => {
    const types = new Set<string>();
    for (const file of files) {
      const [started] = (await historyOf(file)).events;
      types.add(started?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '');
    }

    expect([...types].sort()).toEqual(Object.keys(workflows).sort());
  });
});
