import { defineConfig } from 'vitest/config';
import { settings } from './vitest.config.js';

/** `npm run test:attacks`: what attacks make others wait, measured while no other test runs. */
export default defineConfig({
  test: { ...settings, include: ['test/faults/attacks/attacks.measured.ts'], testTimeout: 180_000 },
});
