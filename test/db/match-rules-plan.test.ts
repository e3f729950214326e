import { expect, it } from 'vitest';
import { type EventType, eventTypes } from '../../domain/events/events/event-types.js';
import { samplePayloads } from '../../domain/events/events/sample-payloads.js';
import { type NewEvent, writeEvents } from '../../domain/events/events/write-events.js';
import { addEventRule } from '../support/event-rules.js';
import { explaining } from '../support/explained.js';
import { createWorkspace } from '../support/factories.js';
import { useWorkspace } from '../support/use-workspace.js';

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
