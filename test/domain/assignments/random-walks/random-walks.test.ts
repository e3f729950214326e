import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../../domain/lib/errors.js';
import { play } from '../../../../tools/play/player.js';
import { seededRandom } from '../../../../tools/simulators/support/random.js';
import { useDatabase } from '../../../support/db/use-database.js';
import { labels, randomTree } from './random-tree.js';
import { type HandWalk, walkByHand } from './walk-by-hand.js';

const testDatabase = useDatabase();
const seeds = Array.from({ length: 240 }, (_, index) => index + 1);
const inATest = 20;
const firsts = seeds.filter((seed) => seed % inATest === 1);

/** A tree, a member, and its walk, all from the seed. */
function draw(seed: number) {
  const random = seededRandom(seed);
  const rootTask = randomTree(random);
  const has = labels.filter(() => random() < 0.5);
  return { rootTask, has, byHand: walkByHand(rootTask, new Set(has), random) };
}

const called: Partial<Record<HandWalk['end'], string>> = {
  undecided: 'no_choice_holds',
  'handed over': 'handoff',
};

describe('random trees', () => {
  it.each(firsts)(
    'from %i on are walked by the machine as the rules say',
    { timeout: 60_000 },
    async (first) => {
      for (const seed of seeds.slice(first - 1, first - 1 + inATest)) {
        const { rootTask, has, byHand } = draw(seed);
        const workflow = { name: `Tree ${seed}`, dataTypes: [], rootTask };
        const input = { member: { labels: has }, script: byHand.script };
        const once = () => play(testDatabase.database, workflow, input);
        // On a busy machine a walk may take longer than a simulation has.
        const again = (error: unknown) => (error instanceof Unavailable ? once() : Promise.reject(error));
        const walk = await once()
          .catch(again)
          .catch((cause: unknown) => {
            throw new Error(`seed ${seed}: ${JSON.stringify({ rootTask, has, byHand })}`, { cause });
          });

        const needsResponseReason = called[byHand.end];
        const entered = walk.entries.filter(({ kind }) => kind === 'entered').map(({ task }) => task);
        expect({ seed, entered, ...walk }).toMatchObject({
          seed,
          entered: byHand.entered,
          currentTask: byHand.current,
          status: byHand.end === 'completed' ? 'completed' : 'active',
          ...(needsResponseReason === undefined ? {} : { needsResponseReason }),
        });
      }
    },
  );

  it('come to each end, and go back', () => {
    const walks = seeds.map((seed) => draw(seed).byHand);
    for (const end of ['completed', 'undecided', 'handed over', 'waits']) {
      expect(walks.filter((walk) => walk.end === end).length, end).toBeGreaterThan(5);
    }
    const twice = walks.filter(({ entered }) => new Set(entered).size < entered.length);
    expect(twice.length).toBeGreaterThan(20);
  });
});
