import type { Knex } from 'knex';
import { tenantKey } from './tenant-table.js';

/**
 * Indexes for the list of events, a mark for samples, the times in which a rule was disabled, and a unique index that
 * allows one delivery of a missed event per rule (docs/decisions/0079-missed-events-are-delivered-once.md). Follow-ups
 * get the members who scheduled and cancelled them.
 *
 * A rule that is disabled now needs no backfill: enabling it reads `disabled_at`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table events add column is_test boolean not null default false;
    update events set is_test = true from webhook_deliveries d
      where d.workspace_id = events.workspace_id and d.event_id = events.id and d.trigger = 'test';
    create index events_by_creation on events (workspace_id, created_at, id);
    create index events_by_type on events (workspace_id, event_type, created_at, id);
    create index events_of_record on events (workspace_id, data_record_id, created_at, id)
      where data_record_id is not null;
    create index events_of_tests on events (workspace_id, created_at, id) where is_test;
    drop index events_workspace_id_created_at_idx, events_workspace_id_data_record_id_idx;

    alter table event_rules
      add column event_type_since timestamptz,
      add column missed_times tstzmultirange not null default '{}';
    alter table webhook_deliveries
      drop constraint webhook_deliveries_trigger_check,
      add constraint webhook_deliveries_trigger_check check (trigger in ('event', 'redelivery', 'test', 'missed'));
    create unique index webhook_deliveries_missed on webhook_deliveries (workspace_id, event_rule_id, event_id)
      where trigger = 'missed';

    alter table follow_ups
      add column scheduled_by_member_id bigint,
      add column cancelled_by_member_id bigint,
      add ${tenantKey('scheduled_by_member_id', 'members')},
      add ${tenantKey('cancelled_by_member_id', 'members')};
    create index follow_ups_of_chat on follow_ups (workspace_id, chat_id, due_at, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index follow_ups_of_chat;
    alter table follow_ups drop column scheduled_by_member_id, drop column cancelled_by_member_id;

    drop index webhook_deliveries_missed;
    update webhook_deliveries set trigger = 'redelivery' where trigger = 'missed';
    alter table webhook_deliveries
      drop constraint webhook_deliveries_trigger_check,
      add constraint webhook_deliveries_trigger_check check (trigger in ('event', 'redelivery', 'test'));
    alter table event_rules drop column event_type_since, drop column missed_times;

    create index on events (workspace_id, created_at);
    create index on events (workspace_id, data_record_id) where data_record_id is not null;
    drop index events_by_type, events_by_creation, events_of_record, events_of_tests;
    alter table events drop column is_test;
  `);
}
