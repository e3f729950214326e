import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, Page, PageQuery, Timestamp } from '../../../http/schemas.js';
import { FieldValues } from '../data-records/schemas.js';

export const DataRecordChangeResponse = Type.Object(
  {
    id: Id,
    recordId: Id,
    operation: OneOf(['created', 'updated', 'retired', 'restored'], {
      description: 'Retired and restored leave the values as they are',
    }),
    before: Nullable(FieldValues),
    after: Nullable(FieldValues),
    actorMemberId: Nullable(Id),
    createdAt: Timestamp,
  },
  {
    $id: 'DataRecordChangeResponse',
    description: 'The values before and after, and who changed them; before is null for the first.',
  },
);
export type DataRecordChangeResponse = Static<typeof DataRecordChangeResponse>;

export const DataRecordChangePage = Page(DataRecordChangeResponse);

export const ListDataRecordChangesQuery = PageQuery(['createdAt'], {}, 'desc');
