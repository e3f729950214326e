import Type from 'typebox';
import { Id, Uuid } from '../../../http/schemas.js';
import { accessMode, externalId, FieldValues } from '../data-records/schemas.js';

/** The external id is the caller's own text, whatever its name ends in. */
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
      'Of a record that is there, omitted fields keep their values, and null empties; memberId, where it is given, is whose it is from then on. A new one is of the caller unless memberId is given, and needs its required fields.',
  },
);
