import { defineConfig } from 'vitest/config';
import { files, run } from './vitest.config.js';

/** `npm run test:attacks`: what attacks make others wait, measured while no other test runs. */
export default defineConfig({
  test: { ...run, ...files, include: ['test/faults/attacks/attacks.measured.ts'], testTimeout: 180_000 },
});
