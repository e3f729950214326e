import { defineConfig } from 'vitest/config';
import { runningFirst } from './test/support/run/running-first.js';
import { files, run } from './vitest.config.js';

/** `npm run test:interop`: what other people's tools say of the service. */
export default defineConfig({
  test: {
    ...run,
    ...files,
    globalSetup: ['test/support/run/global-setup.ts', 'test/interop/support/global-setup.ts'],
    include: ['test/interop/**/*.interop.ts'],
    testTimeout: 20 * 60_000,
    hookTimeout: 10 * 60_000,
    maxWorkers: 2,
    // It takes longer than all other files together.
    sequence: { sequencer: runningFirst(['test/interop/schemathesis.interop.ts']) },
  },
});
