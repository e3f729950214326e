import { Database } from '../../../db/database.js';
import { writeMembers } from '../../../db/people/write-members.js';
import { memberUpdatedEvent } from '../../../domain/events/events/member-events.js';
import { writeEvents } from '../../../domain/events/events/write-events.js';
import { median } from '../../../test/support/lib/statistics.js';
import { addEventRule } from '../../../test/support/webhooks/event-rules.js';
import type { Figure } from '../figure.js';
import { durationOf } from '../support/durations.js';

/** The time that an event adds to a transaction that writes one row, with `rules` event rules of its type. */
function eventCostWith(rules: number, figure: Pick<Figure, 'name' | 'title' | 'target'>): Figure {
  return {
    ...figure,
    unit: 'ms',
    async prepare({ workspace, appUrl }, { operations }) {
      const { workspaceId, admin } = workspace;
      for (let rule = 0; rule < rules; rule += 1) {
        await addEventRule(workspace, { eventType: 'member:updated' });
      }
      const now = new Date();
      const member = { ...admin.row, memberRoleName: admin.role.name, labels: [], updatedAt: now };
      const timed = (database: Database, isTold: boolean) =>
        durationOf(() =>
          database.inWorkspace(workspaceId, (tx) =>
            Promise.all([
              writeMembers(tx, [member]),
              isTold ? writeEvents(tx, [memberUpdatedEvent(member)], now) : undefined,
            ]),
          ),
        );
      return {
        async measured() {
          const database = new Database({ url: appUrl, poolSize: 1 });
          const silent: number[] = [];
          const told: number[] = [];
          try {
            // Alternate, so that a temporary slowdown affects both. The first pairs are the warm-up.
            for (let pair = 0; pair < operations * 11; pair += 1) {
              const [silentMs, toldMs] = [await timed(database, false), await timed(database, true)];
              if (pair < operations) continue;
              silent.push(silentMs);
              told.push(toldMs);
            }
          } finally {
            await database.close();
          }
          return median(told) - median(silent);
        },
      };
    },
  };
}

export const eventCost = eventCostWith(0, {
  name: 'event-cost',
  title: 'What an event adds to a transaction',
  target: { atMost: 0.3 },
});

export const matchedEventCost = eventCostWith(1, {
  name: 'matched-event-cost',
  title: 'The same, where a rule waits for it',
  target: { atMost: 0.5 },
});
