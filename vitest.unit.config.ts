import { defineConfig } from 'vitest/config';
import { unitTests } from './test/support/run/unit-tests.js';
import { run, shared } from './vitest.config.js';

/** `npm run test:unit`: the tests that need no server. */
export default defineConfig({
  test: { ...run, ...shared, name: 'unit', include: unitTests(), maxWorkers: 2 },
});
