import { answer, api, type Schemas } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';
import type { RecordsSearch } from './search.js';

export type DataType = Schemas['DataTypeResponse'];
export type Field = Schemas['FieldDefinition'];
export type DataRecord = Schemas['DataRecordResponse'];
export type Change = Schemas['DataRecordChangeResponse'];
export type FieldType = Schemas['ResourcesRegistryResponse']['fieldTypes'][number];

export const recordsInPage = 50;
/** As far as the API counts and lists. */
export const mostListed = 100_000;

export const typesPage = (uuid: string, page: number): PageQuery<DataType> => ({
  queryKey: [uuid, 'data-types', 'list', page],
  queryFn: ({ signal }) => {
    const query = { page, pageSize: recordsInPage, sortBy: 'name' as const };
    const params = { path: { workspace_uuid: uuid }, query };
    return answer(api.GET('/w/{workspace_uuid}/data-types', { params, signal }));
  },
});

export const dataType = (uuid: string, id: number) => ({
  queryKey: [uuid, 'data-types', id],
  queryFn: () => {
    const params = { path: { workspace_uuid: uuid, data_type_id: id } };
    return answer(api.GET('/w/{workspace_uuid}/data-types/{data_type_id}', { params }));
  },
});

export const fieldTypes = {
  queryKey: ['field-types'],
  queryFn: async () => (await answer(api.GET('/resources/registry'))).fieldTypes,
};

/** The filters of a list of records, and of its export. */
const filtersOf = ({ search, filter }: RecordsSearch) => ({
  ...(search === undefined ? {} : { search }),
  ...(filter === undefined ? {} : { filter }),
});

export const recordsPage = (uuid: string, typeId: number, asked: RecordsSearch, page: number) => {
  const { retired = 'false' as const, sortBy = 'id', sortOrder = 'desc' } = asked;
  const query = {
    ...filtersOf(asked),
    ...{ retired, sortBy, sortOrder, page, pageSize: recordsInPage, countTo: mostListed },
  };
  return {
    queryKey: [uuid, 'records', typeId, 'list', query],
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      const params = { path: { workspace_uuid: uuid, data_type_id: typeId }, query };
      return answer(api.GET('/w/{workspace_uuid}/data-types/{data_type_id}/records', { params, signal }));
    },
  };
};

/** Where the records of a list are to be had as a file, without those that are retired. */
export function exportAddress(uuid: string, typeId: number, asked: RecordsSearch): string {
  const { search, filter = [] } = asked;
  const query = new URLSearchParams(filter.map((one) => ['filter', one]));
  if (search !== undefined) query.set('search', search);
  return `/api/v2/w/${uuid}/data-types/${typeId}/records/export?${query}`;
}

export const dataRecord = (uuid: string, typeId: number, id: number) => ({
  queryKey: [uuid, 'records', typeId, id],
  queryFn: () => {
    const params = { path: { workspace_uuid: uuid, data_type_id: typeId, record_id: id } };
    return answer(api.GET('/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}', { params }));
  },
});
