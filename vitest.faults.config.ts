import { defineConfig } from 'vitest/config';
import { attacks } from './test/support/run/alone.js';
import { faults, run, shared } from './vitest.config.js';

/** `npm run test:faults`: tests that kill processes, two files at a time as they mostly wait. */
export default defineConfig({
  test: { ...run, ...shared, name: 'faults', include: faults, exclude: [attacks], maxWorkers: 2 },
});
