import Type from 'typebox';
import { Id, Nullable, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const AssignmentTaskResponse = Type.Cyclic(
  {
    AssignmentTaskResponse: Picked({
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
