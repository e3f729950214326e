import Type, { type Static } from 'typebox';
import { Id, Page, PageQuery, Timestamp } from '../../http/schemas.js';

const FieldValues = Type.Record(Type.String({ maxLength: 63 }), Type.Unknown(), {
  maxProperties: 200,
  description: 'Field slug to value',
});
const externalId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The caller's own id of the record",
});

export const DataRecordResponse = Type.Object(
  {
    id: Id,
    dataTypeId: Id,
    memberId: Id,
    fieldValues: FieldValues,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    memberName: Type.Optional(Type.String()),
    externalId: Type.Optional(Type.String()),
    accessMode: Type.Optional(Type.Integer()),
  },
  { $id: 'DataRecordResponse' },
);
export type DataRecordResponse = Static<typeof DataRecordResponse>;

export const DataRecordPage = Page(DataRecordResponse);

export const CreateDataRecordRequest = Type.Object(
  {
    fieldValues: FieldValues,
    memberId: Type.Optional(Id),
    externalId: Type.Optional(externalId),
    assignmentTaskId: Type.Optional(Id),
  },
  {
    description:
      "memberId defaults to the caller; assignmentTaskId names the task of the member's assignment that this answers.",
  },
);

export const UpdateDataRecordRequest = Type.Object(
  { fieldValues: FieldValues },
  { description: 'Omitted fields keep their values, null empties.' },
);

export const ByExternalIdQuery = Type.Object({ externalId });

export const ListDataRecordsQuery = PageQuery(['id', 'createdAt', 'updatedAt'], {
  memberId: Type.Optional(Id),
  externalId: Type.Optional(externalId),
});
export type ListDataRecordsQuery = Static<typeof ListDataRecordsQuery>;

export const DeletedRecordResponse = Type.Object({ status: Type.Literal('deleted') });
