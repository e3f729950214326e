import pg from 'pg';
import { expect, it } from 'vitest';
import { type EventType, eventTypes } from '../../../domain/kernel/events/event-types.js';
import { samplePayloads } from '../../../domain/kernel/events/sample-payloads.js';
import { type NewEvent, writeEvents } from '../../../domain/kernel/events/write-events.js';
import { explaining } from '../../support/db/explained.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const types = Object.keys(eventTypes) as EventType[];

it('writeEvents finds the rules of an event by the index of enabled rules of the workspace', async () => {
  const { workspace, database } = suite;
  const other = await createWorkspace(database.database);
  for (const place of [workspace, other]) {
    for (let index = 0; index < 160; index += 1) {
      const eventType = types[index % types.length] ?? 'chat:created';
      await addEventRule(place, { eventType, enabled: index < 40 || place === other });
    }
  }
  await addRulesLikeThoseOf(other.workspaceId);
  const chatCreated: NewEvent = { eventType: 'chat:created', payload: samplePayloads['chat:created'] };

  const [statement, ...others] = await explaining(database.appUrl, workspace.workspaceId, (explained) =>
    explained.inWorkspace(workspace.workspaceId, (tx) => writeEvents(tx, [chatCreated], new Date())),
  );

  expect(others).toEqual([]);
  expect(statement?.scans).toContain('Index Scan event_rules_types');
  expect(statement?.scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
  // The enabled rules of the workspace, the few rules of the type, and the workspace itself.
  expect(statement?.rows).toBeLessThan(60);
});

/**
 * Adds each rule of a workspace fifty times and gathers statistics, because PostgreSQL reads a small table as a whole.
 */
async function addRulesLikeThoseOf(workspaceId: number): Promise<void> {
  const superuser = new pg.Client({ connectionString: suite.database.superuserUrl });
  await superuser.connect();
  await superuser.query(
    `insert into event_rules (workspace_id, name, event_type, action_type, enabled, webhook_endpoint_id)
     select workspace_id, name || n, event_type, action_type, enabled, webhook_endpoint_id
     from event_rules cross join generate_series(1, 50) n where workspace_id = $1`,
    [workspaceId],
  );
  await superuser.query('analyze event_rules');
  await superuser.end();
}
