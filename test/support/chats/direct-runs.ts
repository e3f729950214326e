import type { Database } from '../../../db/database.js';
import type { AssignmentRuns } from '../../../domain/assignments/assignment-runs.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { selectTask } from '../../../domain/assignments/select-task.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { systemClock } from '../../../domain/lib/clock.js';

/** Does at once what an assignment's run would do when it is asked. */
export function directRuns(database: Database): AssignmentRuns {
  const context = { db: database, clock: systemClock, outreach: liveOutreach };
  return {
    selectTask: async ({ workspaceId, assignmentId }, request) => {
      const { answer } = await selectTask(context, { workspaceId, assignmentId, ...request });
      return answer;
    },
    cancelAssignment: async ({ workspaceId, assignmentId }, request) => {
      await cancelAssignment(context, { workspaceId, assignmentId, ...request });
    },
  };
}
