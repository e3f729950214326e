import { activeAssignments } from '../../domain/assignments/reconcile-runs.js';
import { type Found, type RepairContext, type RepairRuns, recordFailure, walkedRows } from './repair-runs.js';
import { walk } from './walk.js';

/** How many active assignments a pass looks up, unless it finds one that has no run, or a day has gone by. */
const assignmentsAPass = 50;
const allAssignmentsEveryMs = 24 * 60 * 60_000;

/**
 * Looks up the next active assignments, a few a pass: their runs end abnormally in the list of those, and are hardly ever lost.
 * If one is, or it is a day since all were looked at, the rest follows at once. @returns whether it was in time
 */
export async function walkAssignments(
  context: RepairContext,
  found: Found,
  { repair, isTimeUp }: { repair: RepairRuns; isTimeUp(): boolean },
): Promise<boolean> {
  const name = 'reconcile_assignments';
  const { walks } = context.db.identity;
  const now = context.clock.now();
  const last = (await walks.lookedUntil(name)) ?? now;
  const repaired = () => found.restarted + found.concluded;
  const before = repaired();
  let looked = 0;
  let areAllDue = now.getTime() - last.getTime() >= allAssignmentsEveryMs;
  const assignments = walkedRows(context, activeAssignments, assignmentsAPass);
  const finished = await walk({
    name,
    walks,
    places: await walks.workspacesWith([assignments.name]),
    lists: [
      {
        ...assignments,
        async page(workspaceId, after) {
          const page = await assignments.page(workspaceId, after);
          looked += Math.max(page.items.length, 1);
          return page;
        },
      },
    ],
    async seeTo(candidates) {
      await repair(candidates, found);
      areAllDue ||= repaired() > before;
    },
    onFailure: (where, error) => recordFailure(context.logger, found, where, error),
    isTimeUp: () => isTimeUp() || (!areAllDue && looked >= assignmentsAPass),
  });
  // All were looked at since the walk before, or are to be by the next passes.
  if (finished) await walks.saveLookedUntil(name, now);
  else if (areAllDue) await walks.saveLookedUntil(name, new Date(0));
  else await walks.saveLookedUntil(name, last);
  return finished || !isTimeUp();
}
