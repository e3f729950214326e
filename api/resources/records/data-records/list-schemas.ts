import Type, { type Static } from 'typebox';
import { Id, OneOf, Page, PageQuery, Timestamp } from '../../../http/schemas.js';
import { DataRecordResponse, externalId } from './schemas.js';

export const DataRecordPage = Type.Object({
  ...Page(DataRecordResponse).properties,
  total: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Records over all pages; 10,000 are counted',
  }),
  totalIsExact: Type.Boolean({ description: 'False: there are more than 10,000' }),
});

const slug = '[A-Za-z0-9][A-Za-z0-9_-]{0,62}';

const filter = Type.Array(
  Type.String({ pattern: `^${slug}:(eq|in|lt|lte|gt|gte|prefix|empty):[^]*$`, maxLength: 1_000 }),
  {
    minItems: 1,
    maxItems: 6,
    description: [
      '`<slug>:<operator>:<value>` on a field with shouldIndex or unique, such as `status:eq:open`. May be repeated:',
      'all of them. Operators: `eq`; `in` (values between commas; a comma in a value is written `\\,`, a backslash',
      '`\\\\`; at most 50); `lt`, `lte`, `gt`, `gte`; `prefix` (texts, dates and times that begin with it); `empty`',
      '(`true` or `false`). Texts are compared without regard to letter case, width and runs of white space, and',
      'sorted by code point; numbers, dates and times by value; a phone number without a country code is one of the',
      "workspace's region. Of a multiselect, one of the choices has to pass.",
    ].join(' '),
  },
);

/** What lists and exports filter by. */
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
        'Words, each the beginning of a word in a text with shouldIndex, without regard to letter case and accents; all of them',
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
    OneOf(['true', 'false', 'all'], { default: 'false', description: 'Retired ones, live ones, or all' }),
  ),
});
export type ListDataRecordsQuery = Static<typeof ListDataRecordsQuery>;
