import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import type { Figure } from '../figure.js';
import { requestRates } from '../support/http-load.js';
import { addVisits, visitValues } from '../support/visits.js';

const records = 200;

export const getRecord: Figure = {
  name: 'get-record',
  title: 'GET a data record',
  unit: 'requests/s',
  target: { ratioAtLeast: 0.6 },
  async prepare(stage, { seconds }) {
    const { workspace } = stage;
    const typeId = await addVisits(stage);
    let recordId = 0;
    for (let made = 0; made < records; made += 1) {
      const record = await createDataRecord(workspace.context(), typeId, { fieldValues: visitValues });
      recordId = record.id;
    }
    const path = `/data-types/${typeId}/records/${recordId}`;
    return requestRates(stage, { floor: new URL('./floor.ts', import.meta.url), path, seconds });
  },
};
