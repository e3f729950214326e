import Type from 'typebox';
import { type AnswerOf, Id, Nullable, OneOf, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const FieldValues = Type.Record(Type.String({ maxLength: 63 }), Type.Unknown(), {
  maxProperties: 200,
  description: 'Values by field slug',
});
const ownId = "The caller's own id of the record";
export const externalId = Type.String({ minLength: 1, maxLength: 200, description: ownId });

const accessModes =
  'Who may read and change it without a permission. 0: the member reads and changes it. 1: the member reads it. 2: hidden, from the member as well. 3: every member of the workspace reads it.';
const accessModeOf = (description: string) => Type.Integer({ minimum: 0, maximum: 3, description });

/** `accessMode` in requests. */
export const accessMode = Type.Optional(
  accessModeOf(
    `${accessModes} Needs the permission records:write or data:write:<slug>. Default for a new record: 0.`,
  ),
);

const DataRecordRetirementResponse = Type.Object(
  { retiredAt: Timestamp, retiredByMemberId: Nullable(Id), reason: Nullable(Type.String()) },
  { $id: 'DataRecordRetirementResponse' },
);

const DataRecordFileResponse = Picked(
  { id: Id, uuid: Uuid, title: Type.String(), filename: Type.String(), mimeType: Type.String() },
  { $id: 'DataRecordFileResponse' },
);

export const DataRecordResponse = Picked(
  {
    id: Id,
    dataTypeId: Id,
    memberId: Id,
    fieldValues: FieldValues,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    memberName: Type.Optional(Type.String()),
    externalId: Type.Optional(Type.String()),
    accessMode: Type.Optional(accessModeOf(accessModes)),
    retirement: Type.Optional(DataRecordRetirementResponse),
    operation: Type.Optional(
      OneOf(['created', 'updated', 'unchanged'], {
        description: 'What the request has done to the record; in answers to requests that write it',
      }),
    ),
    files: Type.Optional(
      Type.Array(DataRecordFileResponse, {
        description:
          'The files that fieldValues names by their ids and that the caller may read; left out if there are none. A file that is deleted is none. The credential needs the scope files:read',
      }),
    ),
    filesAreCut: Type.Optional(
      Type.Boolean({
        description:
          'True in an answer with very many files: those of this record are left out. Read alone, it has all',
      }),
    ),
  },
  { $id: 'DataRecordResponse' },
);
export type DataRecordResponse = AnswerOf<typeof DataRecordResponse>;

export const CreateDataRecordRequest = Type.Object(
  {
    fieldValues: FieldValues,
    memberId: Type.Optional(Id),
    externalId: Type.Optional(externalId),
    assignmentTaskId: Type.Optional(Id),
    accessMode,
  },
  {
    description:
      "memberId defaults to the caller; assignmentTaskId is the task of the member's assignment that the record answers.",
  },
);

export const UpdateDataRecordRequest = Type.Object(
  { fieldValues: FieldValues, accessMode },
  { description: 'Omitted fields keep their values; null clears a field.' },
);

export const RetireDataRecordRequest = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: 2_000 })),
});

export const ByExternalIdQuery = Type.Object({ externalId });

export const DeletedRecordResponse = Type.Object({ status: Type.Literal('deleted') });
