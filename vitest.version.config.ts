import { defineConfig } from 'vitest/config';
import { runningFirst } from './test/support/run/running-first.js';
import { unitTests } from './test/support/run/unit-tests.js';
import { run, shared } from './vitest.config.js';

/** The commands of README and tour with every demo, and a storm: they wait for most of their time. */
const started = ['test/readme/readme.test.ts', 'test/faults/storm/storm.test.ts'];

/** What `.ci/run` runs on each supported version of Node beside the one on which it runs everything. */
export default defineConfig({
  test: {
    ...run,
    ...shared,
    name: 'version',
    include: [...unitTests(), ...started],
    // The other version runs meanwhile.
    maxWorkers: 2,
    sequence: { sequencer: runningFirst(started) },
  },
});
