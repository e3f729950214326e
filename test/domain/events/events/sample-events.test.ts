import { describe, expect, it } from 'vitest';
import { type EventType, eventTypes } from '../../../../domain/events/events/event-types.js';
import { eventSchemas } from '../../../../domain/events/events/payloads.js';
import { writeSampleEvent } from '../../../../domain/events/events/write-events.js';
import { checkBySchema } from '../../../../domain/lib/json-schema.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const now = new Date('2030-01-31T12:00:00.000Z');

const { workspace } = useWorkspace();

describe('writeSampleEvent', () => {
  it.each(Object.keys(eventTypes) as EventType[])(
    'writes for %s a complete event that is marked as a test and matches no rule',
    async (eventType) => {
      await addEventRule(workspace, { eventType });

      const body = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
        const eventId = await writeSampleEvent(tx, eventType, now);
        const [event] = await tx('events').select('body').where({ id: eventId });
        return JSON.parse(event.body);
      });

      const { workspaceUuid } = workspace;
      expect(body).toMatchObject({
        event: eventType,
        createdAt: now.toISOString(),
        workspaceUuid,
        test: true,
      });
      expect(checkBySchema({ ...eventSchemas[eventType] }, body)).toEqual([]);
      const made = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
        tx('webhook_deliveries').select(),
      );
      expect(made).toEqual([]);
    },
  );
});
