import Type, { type Static } from 'typebox';
import { Id, Nullable, Timestamp, Uuid } from '../../../http/schemas.js';

export const AssignmentTaskResponse = Type.Cyclic(
  {
    AssignmentTaskResponse: Type.Object({
      id: Id,
      uuid: Uuid,
      required: Type.Boolean(),
      autoNext: Type.Boolean(),
      taskId: Id,
      workflowId: Id,
      taskName: Type.String(),
      taskUuid: Uuid,
      visitedAt: Nullable(Timestamp),
      children: Type.Array(Type.Ref('AssignmentTaskResponse')),
    }),
  },
  'AssignmentTaskResponse',
);
export type AssignmentTaskResponse = Static<typeof AssignmentTaskResponse>;
