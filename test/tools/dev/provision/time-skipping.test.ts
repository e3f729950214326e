import { expect, test } from 'vitest';
import { startTimeSkipping } from '../../../support/temporal/time-skipping.js';

test('skips a day at once on the time-skipping server', async () => {
  const environment = await startTimeSkipping();
  const before = await environment.currentTimeMs();
  await environment.sleep('1 day');
  expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(24 * 60 * 60 * 1000);
  await environment.teardown();
});
