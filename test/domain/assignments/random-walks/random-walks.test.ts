import { expect, it } from 'vitest';
import { play } from '../../../../tools/play/player.js';
import { seededRandom } from '../../../../tools/simulators/support/random.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { labels, randomTree } from './random-tree.js';
import { type HandWalk, walkByHand } from './walk-by-hand.js';

const testDatabase = useDatabase();
const seeds = Array.from({ length: 300 }, (_, index) => index + 1);

const called: Record<HandWalk['end'], string | null | undefined> = {
  completed: undefined,
  waits: undefined,
  undecided: 'no_choice_holds',
  'handed over': 'handoff',
};

it('the machine walks random trees as the rules say', { timeout: 120_000 }, async () => {
  const ends = new Map<string, number>();
  for (const seed of seeds) {
    const random = seededRandom(seed);
    const rootTask = randomTree(random);
    const has = labels.filter(() => random() < 0.5);
    const byHand = walkByHand(rootTask, new Set(has), random);

    const workflow = { name: `Tree ${seed}`, dataTypes: [], rootTask };
    const input = { member: { labels: has }, script: byHand.script };
    const walk = await play(testDatabase.database, workflow, input).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${JSON.stringify({ rootTask, input, byHand })}`, { cause: error });
    });

    const entered = walk.entries.filter(({ kind }) => kind === 'entered').map(({ task }) => task);
    const status = byHand.end === 'completed' ? 'completed' : 'active';
    const needsResponseReason = called[byHand.end];
    expect({ seed, ...walk, entered }).toMatchObject({
      seed,
      entered: byHand.entered,
      currentTask: byHand.current,
      status,
      ...(needsResponseReason === undefined ? {} : { needsResponseReason }),
    });
    ends.set(byHand.end, (ends.get(byHand.end) ?? 0) + 1);
  }
  // The trees differ: each end comes.
  for (const end of Object.keys(called)) expect(ends.get(end)).toBeGreaterThan(10);
});
