import Type, { type Static } from 'typebox';
import { Id, OneOf, Page, PageQuery, Timestamp } from '../../../http/schemas.js';
import { DataRecordResponse, externalId } from './schemas.js';

export const DataRecordPage = Type.Object({
  ...Page(DataRecordResponse).properties,
  total: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Number of records on all pages, counted up to 10,000',
  }),
  totalIsExact: Type.Boolean({ description: 'False if there are more than 10,000' }),
});

const slug = '[A-Za-z0-9][A-Za-z0-9_-]{0,62}';

const filter = Type.Array(
  Type.String({ pattern: `^${slug}:(eq|in|lt|lte|gt|gte|prefix|empty):[^]*$`, maxLength: 1_000 }),
  {
    minItems: 1,
    maxItems: 6,
    description: [
      '`<slug>:<operator>:<value>` on a field with shouldIndex or unique, such as `status:eq:open`. May be repeated:',
      'all filters must match. Operators: `eq`; `in` (at most 50 values, separated by commas; in a value, a comma is',
      'written `\\,` and a backslash `\\\\`); `lt`, `lte`, `gt`, `gte`; `prefix` (texts, dates and times that begin with',
      'the value); `empty` (`true` or `false`). Texts are compared ignoring case, width and repeated white space, and',
      'ordered by code point; numbers, dates and times by value. A phone number without a country code belongs to the',
      "workspace's region. A multiselect matches if one of its choices does.",
    ].join(' '),
  },
);

/** Filters of lists and exports. */
export const DataRecordFilters = Type.Object({
  memberId: Type.Optional(Id),
  externalId: Type.Optional(externalId),
  createdFrom: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  updatedFrom: Type.Optional(Timestamp),
  updatedBefore: Type.Optional(Timestamp),
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
export type DataRecordFilters = Static<typeof DataRecordFilters>;

export const ListDataRecordsQuery = Type.Object({
  ...PageQuery(['id']).properties,
  sortBy: Type.String({
    pattern: `^(id|createdAt|updatedAt|field:${slug})$`,
    maxLength: 70,
    default: 'id',
    description:
      '`id`, `createdAt`, `updatedAt` or `field:<slug>`, a field with shouldIndex or unique that holds one value. Records without a value come last.',
  }),
  ...DataRecordFilters.properties,
  retired: Type.Optional(
    OneOf(['true', 'false', 'all'], {
      default: 'false',
      description: 'Only retired records (true), only live ones (false), or all',
    }),
  ),
});
export type ListDataRecordsQuery = Static<typeof ListDataRecordsQuery>;
