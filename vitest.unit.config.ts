import { defineConfig } from 'vitest/config';
import { unitTests } from './test/support/run/unit-tests.js';
import { files, run } from './vitest.config.js';

/** `npm run test:unit`: the tests that need no server. */
export default defineConfig({
  test: { ...run, ...files, name: 'unit', include: unitTests(), isolate: false },
});
