import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, Page, PageQuery, Timestamp } from '../../../http/schemas.js';
import { FieldValues } from '../data-records/schemas.js';

export const DataRecordChangeResponse = Type.Object(
  {
    id: Id,
    recordId: Id,
    operation: OneOf(['created', 'updated', 'retired', 'restored'], {
      description: 'Retiring and restoring do not change the values',
    }),
    before: Nullable(FieldValues),
    after: Nullable(FieldValues),
    actorMemberId: Nullable(Id),
    createdAt: Timestamp,
  },
  {
    $id: 'DataRecordChangeResponse',
    description:
      'The values before and after the change, and the member who made it; before is null for the first change.',
  },
);
export type DataRecordChangeResponse = Static<typeof DataRecordChangeResponse>;

export const DataRecordChangePage = Page(DataRecordChangeResponse);

export const ListDataRecordChangesQuery = PageQuery(['createdAt'], {}, 'desc');
