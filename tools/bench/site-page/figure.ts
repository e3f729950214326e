import { createMenuItem } from '../../../domain/sites/menus/menu-items.js';
import { createPage } from '../../../domain/sites/pages/create-page.js';
import { publishPage } from '../../../domain/sites/pages/publish-page.js';
import { addSite } from '../../../test/support/sites/add-site.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { requestRate } from '../support/http-load.js';

const unreached = '1000000000';
const floorProgram = new URL('./floor.ts', import.meta.url);

/** A published page of a warm process, whole. */
export const sitePage: Figure = {
  name: 'site-page',
  title: 'GET a page of a site',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.6 },
  prepare: (stage, { seconds }) => rates(stage, seconds, 200),
};

/** The same for a browser that has it already. */
export const knownSitePage: Figure = {
  name: 'site-page-known',
  title: 'GET a page of a site, 304',
  unit: 'requests/s',
  target: { ratioAtLeast: 3 },
  prepare: (stage, { seconds }) => rates(stage, seconds, 304),
};

async function rates(stage: Stage, seconds: number, status: 200 | 304) {
  const { siteId, siteUuid } = await addPage(stage);
  const [floor, api] = await Promise.all([
    stage.startScript(floorProgram),
    stage.startApi({ env: { RATE_LIMIT_ADDRESS: unreached } }),
  ]);
  const url = `${api.url}/s/${siteUuid}/leaflet`;
  const known = status === 304 ? { 'if-none-match': (await fetch(url)).headers.get('etag') ?? '' } : {};
  const load = { method: 'GET', body: undefined, seconds } as const;
  const onFloor = `${floor.url}/w/${stage.workspace.workspaceId}/pages/${siteId}/leaflet`;
  return {
    floor: () => requestRate({ ...load, url: onFloor }),
    measured: () => requestRate({ ...load, url, headers: known, status }),
  };
}

/** A page of some pages of text, in a site with a menu of eight items. */
async function addPage({ workspace }: Stage): Promise<{ siteId: number; siteUuid: string }> {
  const { id, uuid } = await addSite(workspace, { name: 'Clinic' });
  const context = workspace.context();
  const { page } = await createPage(context, id, {
    title: 'Leaflet',
    slug: 'leaflet',
    contentBlocks: { type: 'doc', content: Array.from({ length: 40 }, paragraph) },
  });
  await publishPage(context, id, page.id);
  for (let place = 0; place < 8; place += 1) {
    await createMenuItem(context, id, { label: `Item ${place}`, itemType: 'page', pageId: page.id });
  }
  return { siteId: id, siteUuid: uuid };
}

function paragraph() {
  const text = 'Drink enough water, and call us if you feel worse than before the operation. '.repeat(4);
  return { type: 'paragraph', content: [{ type: 'text', text }] };
}
