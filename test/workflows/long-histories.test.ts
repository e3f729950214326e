import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/lib/wait-for.js';
import { createSmsWorkspace, type SmsWorkspace } from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { doors } from './small-trees.js';

let system: TestSystem;
let workspace: SmsWorkspace;

beforeAll(async () => {
  system = await startSystem();
  workspace = await createSmsWorkspace(system);
});
afterAll(() => system.stop());

describe('a waiting run with many events', () => {
  it('continues as new after some hundreds of events and keeps its state', { timeout: 120_000 }, async () => {
    const assignment = await workspace.begin(await workspace.publish(doors));
    await assignment.heard('Welcome to the hall.');
    const run = system.run('runAssignment', assignment.assignmentUuid);
    const first = await run.describe();
    let longest = 0;

    for (let pokes = 0; pokes < 120; pokes += 1) {
      const before = await run.describe();
      if (before.runId !== first.runId) break;
      longest = Math.max(longest, before.historyLength);
      await run.signal('poke');
      await waitFor('the poke was seen to', async () => {
        const { runId, historyLength } = await run.describe();
        return runId !== first.runId || historyLength >= before.historyLength + 4;
      });
    }

    expect((await run.describe()).runId).not.toBe(first.runId);
    expect(longest).toBeGreaterThan(250);
    expect(longest).toBeLessThan(330);
    await assignment.write('the exit');
    await assignment.concluded('completed');
  });
});
