import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as eventRulePermissions from '../../../db/migrations/0022-event-rule-permissions.js';
import * as eventsAndFollowUps from '../../../db/migrations/0043-events-and-follow-ups.js';
import * as personData from '../../../db/migrations/0066-person-data.js';
import * as erasedIdentifiers from '../../../db/migrations/0176-erased-identifiers.js';
import { enableEventRule } from '../../../domain/events/event-rules/enable-event-rule.js';
import { deliverMissedEvents } from '../../../domain/events/webhook-deliveries/deliver-missed-events.js';
import { addEventRule } from '../../support/webhooks/event-rules.js';
import { addRole } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: stage.database.migratorUrl });
});
afterAll(() => migrator.destroy());

const permissionsOf = async (id: number): Promise<string[]> =>
  (await migrator('member_roles').where({ id }).first('permissions')).permissions;

it('the migration grants the permissions for event rules only to roles that manage workspaces', async () => {
  const managing = ['workspace:write', 'roles:write', 'chats:read'];
  const added = ['event_rules:read', 'event_rules:write'];
  const manager = await addRole(stage.workspace, { permissions: managing });
  const reader = await addRole(stage.workspace, { permissions: ['workspace:write', 'chats:read'] });

  await migrator.transaction(eventRulePermissions.up);
  expect(await permissionsOf(manager.id)).toEqual([...managing, ...added]);
  expect(await permissionsOf(reader.id)).toEqual(['workspace:write', 'chats:read']);
  const admin = await permissionsOf(stage.workspace.roles.admin.id);
  expect(admin.filter((permission) => permission === 'event_rules:write')).toHaveLength(1);

  await migrator.transaction(eventRulePermissions.down);
  expect(await permissionsOf(manager.id)).toEqual(managing);
});

it('the migration of events marks samples, and keeps the missed events of a disabled rule deliverable', async () => {
  const { workspace } = stage;
  const enabled = await addEventRule(workspace);
  const disabled = await addEventRule(workspace, { enabled: false });
  // Its trigger on events reads whether an event is a sample.
  await migrator.transaction(erasedIdentifiers.down);
  await migrator.transaction(personData.down);
  await migrator.transaction(eventsAndFollowUps.down);
  const place = { workspace_id: workspace.workspaceId, event_type: 'chat:created', created_at: new Date() };
  const add = async (trigger: string) => {
    const [event] = await migrator('events')
      .insert({ ...place, body: '{}' })
      .returning('id');
    const delivery = { event_rule_id: enabled.id, event_id: event.id, trigger };
    await migrator('webhook_deliveries').insert({ ...place, ...delivery });
    return event.id;
  };
  const [happened, sample] = [await add('event'), await add('test')];

  await migrator.transaction(eventsAndFollowUps.up);
  await migrator.transaction(personData.up);
  await migrator.transaction(erasedIdentifiers.up);

  expect(await migrator('events').orderBy('id').select('id', 'is_test')).toEqual([
    { id: happened, is_test: false },
    { id: sample, is_test: true },
  ]);
  await enableEventRule(workspace.context(), disabled.id);
  expect(await deliverMissedEvents(workspace.context(), disabled.id, {})).toEqual({ queued: 1, more: false });

  // Its trigger on events reads whether an event is a sample.
  await migrator.transaction(erasedIdentifiers.down);
  await migrator.transaction(personData.down);
  await migrator.transaction(eventsAndFollowUps.down);
  const triggers = await migrator('webhook_deliveries').orderBy('id').pluck('trigger');
  expect(triggers).toEqual(['event', 'test', 'redelivery']);
});
