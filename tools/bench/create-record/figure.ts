import type { Figure } from '../figure.js';
import { requestRate } from '../support/http-load.js';
import { gatherStatistics } from '../support/statistics-of-tables.js';
import { addVisits, visitValues } from '../support/visits.js';

/** The rate of creating data records, including their history and events. */
export const createRecord: Figure = {
  name: 'create-record',
  title: 'POST data records',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.4 },
  async prepare(stage, { seconds }) {
    const { workspace } = stage;
    const { memberId, apiKey } = workspace.admin;
    const typeId = await addVisits(stage);
    const [floor, api] = await Promise.all([
      stage.startScript(new URL('./floor.ts', import.meta.url)),
      stage.startApi(),
    ]);
    const path = `/data-types/${typeId}/records`;
    const record = { memberId, fieldValues: visitValues };
    return {
      floor: () =>
        requestRate({
          url: `${floor.url}/w/${workspace.workspaceId}${path}`,
          method: 'POST',
          body: record,
          seconds,
        }),
      measured: () =>
        requestRate({
          url: `${api.url}/api/v2${workspace.path(path)}`,
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
          body: record,
          seconds,
        }),
      warmedUp: () => gatherStatistics(stage.superuserUrl),
    };
  },
};
