import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { down, up } from '../../../db/migrations/0043-events-and-follow-ups.js';
import { enableEventRule } from '../../../domain/events/event-rules/enable-event-rule.js';
import { deliverMissedEvents } from '../../../domain/events/webhook-deliveries/deliver-missed-events.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: stage.database.migratorUrl });
});
afterAll(() => migrator.destroy());

it('the migration of events marks samples, and keeps the missed events of a disabled rule deliverable', async () => {
  const { workspace } = stage;
  const [enabled, disabled] = [
    await addEventRule(workspace),
    await addEventRule(workspace, { enabled: false }),
  ];
  await migrator.transaction(down);
  const place = { workspace_id: workspace.workspaceId, event_type: 'chat:created', created_at: new Date() };
  const add = async (trigger: string) => {
    const [event] = await migrator('events')
      .insert({ ...place, body: '{}' })
      .returning('id');
    await migrator('webhook_deliveries').insert({
      ...place,
      event_rule_id: enabled.id,
      event_id: event.id,
      trigger,
    });
    return event.id;
  };
  const [happened, sample] = [await add('event'), await add('test')];

  await migrator.transaction(up);

  expect(await migrator('events').orderBy('id').select('id', 'is_test')).toEqual([
    { id: happened, is_test: false },
    { id: sample, is_test: true },
  ]);
  await enableEventRule(workspace.context(), disabled.id);
  expect(await deliverMissedEvents(workspace.context(), disabled.id, {})).toEqual({ queued: 1, more: false });

  await migrator.transaction(down);
  const triggers = await migrator('webhook_deliveries').orderBy('id').pluck('trigger');
  expect(triggers).toEqual(['event', 'test', 'redelivery']);
});
