import type { Plan } from '../../../tools/simulators/carrier/calls/plan.js';
import type { takings } from './operations.js';

/** What members do on the phone; everybody hangs up in the end. */
export const phonePlans: Readonly<Record<(typeof takings)[number], Plan>> = {
  talks: {
    script: [
      { untilStream: 1 },
      { untilHears: 200 },
      { say: { words: 'the open room' } },
      { wait: 4_000 },
      { say: { words: 'good morning' } },
      { wait: 4_000 },
      { hangUp: true },
    ],
  },
  leaves: { script: [{ untilStream: 1 }, { wait: 500 }, { hangUp: true }] },
  is_busy: { outcome: 'busy' },
  is_a_machine: { answeredBy: 'machine', detectedAfterMs: 800, script: [{ wait: 20_000 }, { hangUp: true }] },
};
