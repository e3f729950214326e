import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createMetrics } from '../../runtime/metrics.js';
import { countRepairs } from '../../runtime/worker/workers.js';

it('createMetrics counts the events that operators have to know', async () => {
  const { registry, domain, chats } = createMetrics();
  domain.happened({ kind: 'sms_failed', workspaceId: 1, reason: 'unknown_outcome' });
  domain.happened({ kind: 'rule_disabled', workspaceId: 1, reason: 'gone' });
  domain.happened({ kind: 'export_failed', workspaceId: 1, reason: 'too_large' });
  domain.happened({ kind: 'import_failed', workspaceId: 1, reason: 'crashed' });
  domain.happened({ kind: 'notice_not_sent', workspaceId: 1, reason: 'nobody_to_tell' });
  domain.happened({ kind: 'attachment_not_kept', workspaceId: 1, reason: 'emails_full' });
  chats.personCalled('step_failed');

  const text = await registry.metrics();
  expect(text).toContain('wes_sms_failed_total{reason="unknown_outcome"} 1');
  expect(text).toContain('wes_event_rules_disabled_total{reason="gone"} 1');
  expect(text).toContain('wes_person_exports_failed_total{reason="too_large"} 1');
  expect(text).toContain('wes_member_imports_failed_total{reason="crashed"} 1');
  expect(text).toContain('wes_rule_notices_not_sent_total{reason="nobody_to_tell"} 1');
  expect(text).toContain('wes_email_attachments_not_kept_total{reason="emails_full"} 1');
  expect(text).toContain('wes_person_calls_total{reason="step_failed"} 1');
});

it('countRepairs counts the results of reconcileRuns, and of no other activity', async () => {
  const { registry, workers } = createMetrics();
  for (const activityType of ['reconcileRuns', 'advanceChat']) {
    const environment = new MockActivityEnvironment(
      { activityType },
      { interceptors: [countRepairs(workers)] },
    );
    await environment.run(async () => ({ checked: 5, restarted: 2, concluded: 0 }));
  }
  const text = await registry.metrics();
  expect(text).toContain('wes_reconciled_total{outcome="restarted"} 2');
  expect(text).toContain('wes_reconciled_total{outcome="checked"} 5');
  expect(text).not.toContain('outcome="concluded"');
});

it('countRepairs counts what the collector deleted and failed to delete, and says when it last could', async () => {
  const { registry, workers } = createMetrics();
  const collect = (result: { objects: number; bytes: number; failed: number; finished: boolean }) =>
    new MockActivityEnvironment(
      { activityType: 'collectObjects' },
      { interceptors: [countRepairs(workers)] },
    ).run(async () => result);
  expect(await registry.metrics()).toContain('wes_objects_collected_timestamp_seconds Nan');

  await collect({ objects: 0, bytes: 0, failed: 0, finished: false });
  expect(await registry.metrics()).toContain('wes_objects_collected_timestamp_seconds Nan');

  const before = Date.now() / 1_000;
  await collect({ objects: 5, bytes: 500, failed: 1, finished: true });
  await collect({ objects: 2, bytes: 200, failed: 0, finished: true });
  const text = await registry.metrics();
  expect(text).toContain('wes_objects_collected_total{outcome="deleted"} 7');
  expect(text).toContain('wes_objects_collected_total{outcome="failed"} 1');
  const [, at] = /^wes_objects_collected_timestamp_seconds (\S+)$/m.exec(text) ?? [];
  expect(Number(at)).toBeGreaterThanOrEqual(before);
});

it('the outbox metrics become unknown when the outbox cannot be measured', async () => {
  const { registry, relay } = createMetrics();
  const none = { waiting: 0, parked: 0 };
  const interactive = { waiting: 3, parked: 0 };
  relay.observe({ counts: { interactive, woken: none, bulk: none }, oldestSeconds: 7 });
  expect(await registry.metrics()).toContain('wes_outbox_oldest_seconds 7');
  relay.observe(undefined);
  const text = await registry.metrics();
  expect(text).toContain('wes_outbox_oldest_seconds Nan');
  expect(text).not.toContain('wes_outbox_entries{');
});

it('the messages that are due become unknown when they cannot be measured', async () => {
  const { registry, relay } = createMetrics();
  relay.observeDeliveries({ oldestSeconds: 400.5, deliveries: 3 });
  const text = await registry.metrics();
  expect(text).toContain('wes_due_delivery_oldest_seconds 400.5');
  expect(text).toContain('wes_due_deliveries 3');
  relay.observeDeliveries(undefined);
  expect(await registry.metrics()).toContain('wes_due_deliveries Nan');
  expect(await registry.metrics()).toContain('wes_due_delivery_oldest_seconds Nan');
});

it('the scheduled messages that are due become unknown when they cannot be measured', async () => {
  const { registry, relay } = createMetrics();
  relay.observeScheduled({ oldestSeconds: 400.5, messages: 3 });
  const text = await registry.metrics();
  expect(text).toContain('wes_due_scheduled_message_oldest_seconds 400.5');
  expect(text).toContain('wes_due_scheduled_messages 3');
  relay.observeScheduled(undefined);
  expect(await registry.metrics()).toContain('wes_due_scheduled_messages Nan');
  expect(await registry.metrics()).toContain('wes_due_scheduled_message_oldest_seconds Nan');
});

it('the oldest erasure becomes unknown when it cannot be measured', async () => {
  const { registry, relay } = createMetrics();
  relay.observeErasures(4_000.5);
  expect(await registry.metrics()).toContain('wes_open_erasure_oldest_seconds 4000.5');
  relay.observeErasures(undefined);
  expect(await registry.metrics()).toContain('wes_open_erasure_oldest_seconds Nan');
});

it('the metrics of owed turns have no label per workspace, and become unknown when they cannot be measured', async () => {
  const { registry, relay } = createMetrics();
  const max = [{ workspaceId: 7, turns: 2, oldestSeconds: 400 }];
  relay.observeTurns({ oldestSeconds: 400.5, turns: 2, workspaces: 1, longest: max });
  const text = await registry.metrics();
  expect(text).toContain('wes_owed_turn_oldest_seconds 400.5');
  expect(text).toContain('wes_overdue_turns 2');
  expect(text).toContain('wes_overdue_turn_workspaces 1');
  relay.observeTurns(undefined);
  for (const metric of ['owed_turn_oldest_seconds', 'overdue_turns', 'overdue_turn_workspaces']) {
    expect(await registry.metrics()).toContain(`wes_${metric} Nan`);
  }
});
