import { makeManyRecords, recordsInGroup } from '../../../test/support/records/many-records.js';
import type { Figure } from '../figure.js';
import { requestRates } from '../support/http-load.js';
import { analyzeRecords } from '../support/statistics-of-tables.js';

const records = 10_000;
/** One of the groups that `makeManyRecords` creates. */
const group = 7;

export const listPage: Figure = {
  name: 'list-page',
  title: `GET data records: 25 of ${recordsInGroup} by an indexed field, with the total`,
  unit: 'requests/s',
  target: { ratioAtLeast: 0.5 },
  async prepare(stage, { seconds }) {
    const { workspace, superuserUrl } = stage;
    const { id } = await makeManyRecords(superuserUrl, workspace, records);
    await analyzeRecords(superuserUrl);
    const path = `/data-types/${id}/records`;
    return requestRates(stage, {
      floor: new URL('./floor.ts', import.meta.url),
      path: `${path}?filter=group:eq:${group}&pageSize=25`,
      floorPath: `${path}/group/${group}`,
      seconds,
    });
  },
};
