import { makeManyRecords, recordsInGroup } from '../../../test/support/records/many-records.js';
import type { Effort, Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { ask } from '../support/ask.js';
import { medianDuration } from '../support/durations.js';
import { analyzeRecords } from '../support/statistics-of-tables.js';

const few = 10_000;

/** The query string of a request; differs from request to request. */
type Query = (request: number, records: number) => string;

export const listRecords = {
  few: figure('list-records', `a page of ${recordsInGroup}, by another field`, (request, records) => {
    const groups = records / recordsInGroup;
    return `filter=group:eq:${(request * 7_919) % groups}&sortBy=field:name`;
  }),
  tenth: figure('list-records-tenth', 'a page of a tenth of them, by another field', (request) => {
    return `filter=due:eq:2030-01-1${request % 10}&sortBy=field:name`;
  }),
};

function figure(name: string, title: string, query: Query): Figure {
  return {
    name,
    title: `GET data records among a million: ${title}`,
    unit: 'ms',
    target: { ratioAtMost: 1.5 },
    prepare: (stage, effort) => prepare(stage, effort, query),
  };
}

async function prepare(stage: Stage, { records, operations }: Effort, query: Query) {
  const { superuserUrl, workspace } = stage;
  const small = await makeManyRecords(superuserUrl, workspace, few);
  const large = await makeManyRecords(superuserUrl, workspace, records);
  await analyzeRecords(superuserUrl);
  const api = await stage.startApi();
  let request = 0;
  const asked = (typeId: number, count: number) => () =>
    medianDuration(operations, () => {
      request += 1;
      return ask(stage, api, 'GET', `/data-types/${typeId}/records?${query(request, count)}`);
    });
  return { floor: asked(small.id, few), measured: asked(large.id, records) };
}
