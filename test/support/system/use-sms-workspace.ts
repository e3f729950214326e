import { afterAll, beforeAll } from 'vitest';
import { later } from '../lib/later.js';
import { createSmsWorkspace, type SmsWorkspace } from './sms-workspace.js';
import type { TestSystem } from './system.js';

/** A system that `start` starts, with a workspace whose members have handsets, to the end of the suite. */
export function useSmsWorkspace<System extends TestSystem>(start: () => Promise<System>) {
  let system: System | undefined;
  let workspace: SmsWorkspace | undefined;
  beforeAll(async () => {
    system = await start();
    workspace = await createSmsWorkspace(system);
  });
  afterAll(() => system?.stop());
  return { system: later(() => system), workspace: later(() => workspace) };
}
