import {
  countOutcomes,
  type OutcomeCount,
  type OutcomeGroup,
  type Outcomes,
} from '../../db/assignments/outcome-counts.js';
import type { CommandContext } from '../kernel/context.js';
import { type DayRange, daysOf, maxCountedDays } from '../kernel/day-range.js';

/** Those with the most assignments. */
const maxGroups = 1_000;

interface OutcomeQuery extends DayRange {
  groupBy: OutcomeGroup;
  workflowId?: number | undefined;
  isTest?: boolean | undefined;
}

export interface AssignmentOutcomes extends Outcomes {
  timezone: string;
  items: OutcomeCount[];
}

/** Counts what became of the assignments that were created in some days. @throws Forbidden, InvalidInput */
export async function countAssignmentOutcomes(
  context: CommandContext,
  { groupBy, workflowId: definitionId, isTest, ...range }: OutcomeQuery,
): Promise<AssignmentOutcomes> {
  const { db, actor } = context;
  actor.require('assignments:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { timezone, begins, ends } = await daysOf(context, tx, range, maxCountedDays);
    const filter = { begins: begins[0] as Date, ends, definitionId, isTest };
    const [{ total, active, completed, cancelled, failed }, ...items] = await countOutcomes(
      tx,
      groupBy,
      filter,
      maxGroups,
    );
    return { timezone, total, active, completed, cancelled, failed, items };
  });
}
