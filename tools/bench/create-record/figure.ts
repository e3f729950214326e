import type { Figure } from '../figure.js';
import { requestRates } from '../support/http-load.js';
import { gatherStatistics } from '../support/statistics-of-tables.js';
import { addVisits, visitValues } from '../support/visits.js';

export const createRecord: Figure = {
  name: 'create-record',
  title: 'POST data records',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.4 },
  async prepare(stage, { seconds }) {
    const typeId = await addVisits(stage);
    const rates = await requestRates(stage, {
      floor: new URL('./floor.ts', import.meta.url),
      path: `/data-types/${typeId}/records`,
      body: { memberId: stage.workspace.admin.memberId, fieldValues: visitValues },
      seconds,
    });
    return { ...rates, warmedUp: () => gatherStatistics(stage.superuserUrl) };
  },
};
