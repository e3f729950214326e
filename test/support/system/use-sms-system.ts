import { afterAll, beforeAll } from 'vitest';
import { later } from '../lib/later.js';
import { createSmsWorkspace, type SmsWorkspace } from './sms-workspace.js';
import { type SystemOptions, startSystem, type TestSystem } from './system.js';

/** The whole service with a workspace that texts, from a suite's beginning to its end. */
export function useSmsSystem(options: () => SystemOptions = () => ({})): {
  readonly system: TestSystem;
  readonly workspace: SmsWorkspace;
} {
  let system: TestSystem | undefined;
  let workspace: SmsWorkspace | undefined;
  beforeAll(async () => {
    system = await startSystem(options());
    workspace = await createSmsWorkspace(system);
  });
  afterAll(() => system?.stop());
  return { system: later(() => system), workspace: later(() => workspace) };
}
