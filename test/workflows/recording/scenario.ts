import type { FaultyRelease } from '../../support/faults/faulty-release.js';
import type { SmsWorkspace } from '../../support/system/sms-workspace.js';
import type { TestSystem } from '../../support/system/system.js';

/** Plays a story and returns the workflow id to record. */
export type Scenario = (
  system: TestSystem,
  workspace: SmsWorkspace,
  release: FaultyRelease,
) => Promise<string>;

export type Scenarios = Record<string, Scenario>;
