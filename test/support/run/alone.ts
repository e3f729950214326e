/** Tests that attack the service in this process. */
export const attacks = 'test/faults/attacks/*.test.ts';
/** Tests that measure time, use much memory, or hold transactions open for long. */
export const alone = [
  attacks,
  'test/tools/bench/**/*.test.ts',
  'test/domain/pattern-budget.test.ts',
  'test/activities/files/index-large-file.test.ts',
  'test/media/recorder/in-step.test.ts',
  'test/db/agent/usage-plans.test.ts',
  'test/db/conversations/message-search.test.ts',
  'test/workflows/costs.test.ts',
  'test/workflows/webhooks/fairness.test.ts',
  'test/workflows/webhooks/limits.test.ts',
];
