import Type, { type Static } from 'typebox';
import {
  listDataRecords,
  mostCounted,
  prefetchListedType,
} from '../../../../domain/records/data-records/queries/list-data-records.js';
import type { DataRecordFilter } from '../../../../domain/records/data-records/queries/record-search.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { CountedPage, Id, OneOf, PageQuery, TimeInput } from '../../../http/schemas.js';
import { patternOf } from '../../../http/validation/pattern-forms.js';
import { presentDataRecord } from './presenter.js';
import { DataRecordResponse, externalId } from './schemas.js';

const DataRecordPage = CountedPage(DataRecordResponse, mostCounted);

const slug = '[A-Za-z0-9][A-Za-z0-9_-]{0,62}';

const operators = ['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'prefix', 'empty'];

const filter = Type.Array(
  Type.String({
    ...patternOf(
      `^${slug}:(${operators.join('|')}):[\\s\\S]*$`,
      `must be <slug>:<operator>:<value>, with one of the operators ${operators.join(', ')}`,
    ),
    maxLength: 1_000,
  }),
  {
    minItems: 1,
    maxItems: 6,
    description: [
      '`<slug>:<operator>:<value>` on a field with shouldIndex or unique, such as `status:eq:open`. May be repeated:',
      'all filters must match. Operators: `eq`; `in` (at most 50 values, separated by commas; in a value, a comma is',
      'written `\\,` and a backslash `\\\\`); `lt`, `lte`, `gt`, `gte`; `prefix` (texts, dates and times that begin with',
      'the value); `empty` (`true` or `false`). Texts are compared ignoring case, width and repeated white space, and',
      'ordered by code point; numbers, dates and times by value. A phone number without a country code belongs to the',
      "workspace's region. A multiselect matches if one of its choices does, a field of files if one of its files does;",
      'files are compared by `eq`, `in` and `empty` only.',
    ].join(' '),
  },
);

/** Filters of lists and exports. */
export const DataRecordFilters = Type.Object({
  memberId: Type.Optional(Id),
  externalId: Type.Optional(externalId),
  createdFrom: Type.Optional(TimeInput),
  createdBefore: Type.Optional(TimeInput),
  updatedFrom: Type.Optional(TimeInput),
  updatedBefore: Type.Optional(TimeInput),
  filter: Type.Optional(filter),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words that must all match: each the beginning of a word in a text field with shouldIndex, ignoring case and accents',
    }),
  ),
});
type DataRecordFilters = Static<typeof DataRecordFilters>;

const ListDataRecordsQuery = Type.Object({
  ...PageQuery(['id']).properties,
  sortBy: Type.String({
    ...patternOf(
      `^(id|createdAt|updatedAt|field:${slug})$`,
      'must be one of: id, createdAt, updatedAt, field:<slug>',
    ),
    maxLength: 70,
    default: 'id',
    description:
      '`id`, `createdAt`, `updatedAt` or `field:<slug>`, a field with shouldIndex or unique that holds one value, which is no file. Records without a value come last.',
  }),
  ...DataRecordFilters.properties,
  countTo: Type.Integer({
    minimum: 1,
    maximum: mostCounted,
    default: 10_000,
    description: `How far records are counted, and pages go, ${mostCounted} at most. More takes longer, for the first pages too. Above 10,000, it needs the permission data:read or data:read:<slug>; without it, 10,000 are`,
  }),
  retired: Type.Optional(
    OneOf(['true', 'false', 'all'], {
      default: 'false',
      description: 'Only retired records (true), only live ones (false), or all',
    }),
  ),
});

/** Converts the query of a list or an export to a filter. */
export function filterOf(query: DataRecordFilters): Omit<DataRecordFilter, 'retired'> {
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return {
    memberId: query.memberId,
    externalId: query.externalId,
    createdFrom: time(query.createdFrom),
    createdBefore: time(query.createdBefore),
    updatedFrom: time(query.updatedFrom),
    updatedBefore: time(query.updatedBefore),
    filters: query.filter,
    search: query.search,
  };
}

export const listRoute = defineRoute({
  operationId: 'listDataRecords',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records',
  tag: 'Data records',
  summary: 'List data records',
  description:
    "Without the permission data:read or data:read:<slug>, the list contains the caller's own records, except hidden ones, and records shared with everyone. Pages end at the 10,000th record, or at the one given as countTo: narrow the list by createdFrom and createdBefore, or use an export.",
  access: workspaceMember({ scope: 'data:read' }),
  query: ListDataRecordsQuery,
  response: { status: 200, schema: DataRecordPage },
  prefetch: (tx, { params }) => prefetchListedType(tx, params.data_type_id),
  handler: async ({ context, params, query, prefetched }) => {
    const retired = query.retired === 'all' ? 'all' : query.retired === 'true';
    const filter = { ...filterOf(query), retired } as const;
    const found = await listDataRecords(context, params.data_type_id, filter, query, {
      prefetched,
      countTo: query.countTo,
    });
    return presentPage(query, found, presentDataRecord);
  },
});
