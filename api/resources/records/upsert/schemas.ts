import Type from 'typebox';
import { Id, Uuid } from '../../../http/schemas.js';
import { accessMode, externalId, FieldValues } from '../data-records/schemas.js';

/** Declared explicitly, because external_id is the caller's own text although its name ends in `_id`. */
export const UpsertParams = Type.Object({ workspace_uuid: Uuid, data_type_id: Id, external_id: externalId });

export const UpsertDataRecordRequest = Type.Object(
  {
    fieldValues: FieldValues,
    memberId: Type.Optional(Id),
    assignmentTaskId: Type.Optional(Id),
    accessMode,
  },
  {
    description:
      "For an existing record, omitted fields keep their values and null clears a field; memberId, if given, becomes the record's member. A new record belongs to the caller unless memberId is given, and needs its required fields.",
  },
);
