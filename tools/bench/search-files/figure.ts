import { createWorkspace } from '../../../test/support/workspace/factories.js';
import type { Effort, Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { ask } from '../support/ask.js';
import { medianDuration } from '../support/durations.js';
import { gatherStatistics } from '../support/statistics-of-tables.js';
import { addPages, pagesInGroup } from './pages.js';

/** A tenth of the pages of the measured workspace. */
const partOfSmall = 0.1;

export const searchFiles = {
  ratio: {
    name: 'search-files',
    title: `Search among 10,000 pages, for a word on ${pagesInGroup}`,
    unit: 'ms',
    target: { ratioAtMost: 1.5 },
    prepare: async (stage, effort) => {
      const { small, asked } = await prepare(stage, effort);
      const query = (pages: number) => (request: number) => `group${(request * 7) % (pages / pagesInGroup)}`;
      return {
        floor: asked(small, query(effort.pages * partOfSmall)),
        measured: asked(stage.workspace, query(effort.pages)),
      };
    },
  },
  tenth: {
    name: 'search-files-tenth',
    title: 'Search among 10,000 pages, for a word on a tenth of them',
    unit: 'ms',
    target: { atMost: 50 },
    prepare: async (stage, effort) => {
      const { asked } = await prepare(stage, effort);
      return { measured: asked(stage.workspace, () => 'weekly') };
    },
  },
} satisfies Record<string, Figure>;

async function prepare(stage: Stage, { pages, operations }: Effort) {
  const small = await createWorkspace(stage.database);
  await addPages(small, pages * partOfSmall);
  await addPages(stage.workspace, pages);
  await gatherStatistics(stage.superuserUrl);
  const api = await stage.startApi();
  let request = 0;
  const asked = (workspace: Stage['workspace'], query: (request: number) => string) => () =>
    medianDuration(operations, () => {
      request += 1;
      return ask({ ...stage, workspace }, api, 'GET', `/files/search?q=${query(request)}`);
    });
  return { small, asked };
}
