import { percentile } from '../../../test/support/lib/statistics.js';
import type { Figure } from '../figure.js';
import { addForm, importPeople, newPeople } from './people.js';

/** How much an import increases the latency of other requests to the api. */
export const importMembersLatency: Figure = {
  name: 'import-members-latency',
  title: 'Other requests during an import, p99, beside an idle api',
  unit: 'ms',
  target: { ratioAtMost: 3 },
  async prepare(stage, { operations, seconds }) {
    const [, api] = await Promise.all([addForm(stage), stage.startApi()]);
    const { workspace } = stage;
    const ask = async () => {
      const startedAt = performance.now();
      const answer = await fetch(
        `${api.url}/api/v2${workspace.path(`/members/${workspace.admin.memberId}`)}`,
        {
          headers: { authorization: `Bearer ${workspace.admin.apiKey}` },
        },
      );
      if (!answer.ok) throw new Error(`a request was answered ${answer.status}`);
      await answer.text();
      return performance.now() - startedAt;
    };
    return {
      floor: async () => {
        const until = performance.now() + seconds * 1_000;
        return percentile(await durations(ask, () => performance.now() >= until), 99);
      },
      measured: async () => {
        let isOver = false;
        const importing = importPeople(stage, api, newPeople(operations)).finally(() => {
          isOver = true;
        });
        const taken = await durations(ask, () => isOver);
        await importing;
        return percentile(taken, 99);
      },
    };
  },
};

/** Durations of requests that run one after the other. */
async function durations(ask: () => Promise<number>, isOver: () => boolean): Promise<number[]> {
  const taken: number[] = [];
  do taken.push(await ask());
  while (!isOver());
  return taken;
}
