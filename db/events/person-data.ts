import type { PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const eventsTables: PersonTables = {
  'public.events': {
    personal: 'body',
    rest: 'id workspace_id uuid event_type data_record_id created_at is_test member_id',
    about: 't.member_id = :member',
    exported: { file: 'events', internal: true },
    erased: { by: 'delete' },
  },
  'public.webhook_deliveries': {
    rest: 'id workspace_id uuid event_rule_id event_id event_type trigger requested_by_member_id status failure_reason attempt_count last_status_code next_attempt_at created_at completed_at',
    about: 't.event_id in (select id from events where member_id = :member)',
    exported: { file: 'webhook-deliveries', internal: true },
    erased: { by: 'cascade', from: 'public.events' },
  },
  'public.webhook_attempts': {
    personal: 'response_body',
    rest: 'id workspace_id webhook_delivery_id webhook_endpoint_id number started_at lease_until finished_at duration_ms status_code error_code webhook_host_id',
    about:
      't.webhook_delivery_id in (select id from webhook_deliveries where event_id in (select id from events where member_id = :member))',
    exported: { file: 'webhook-attempts', internal: true },
    erased: { by: 'cascade', from: 'public.events' },
  },
  'public.event_rules': {
    configuration: 'name',
    rest: 'id workspace_id uuid event_type action_type webhook_endpoint_id enabled disabled_at disabled_reason failing_since created_by_member_id deleted_at created_at updated_at failing_days failed_on event_type_since missed_times',
  },
  'public.event_rule_secrets': {
    secret: 'ciphertext',
    rest: 'id workspace_id uuid event_rule_id created_at expires_at',
  },
  'public.event_rule_notices': {
    // The id of a secret of the workspace, which is nothing about the person.
    secret: 'secret_id',
    rest: 'id workspace_id uuid event_rule_id member_id reason created_at claimed_at sent_at failure_reason claim_token credit_month_id mcp_server_id site_id',
    about: 't.member_id = :member',
    exported: { file: 'notices' },
    erased: { by: 'delete' },
  },
  'public.handoff_notices': {
    rest: 'id workspace_id uuid member_id channel created_at claimed_at claim_token sent_at failure_reason',
    about: 't.member_id = :member',
    exported: { file: 'handoff-notices' },
    erased: { by: 'delete' },
  },
  'public.handoff_tellings': {
    rest: 'id workspace_id looked_until emails_told_until told_at events_until events_after',
  },
  'public.webhook_endpoints': {
    configuration: 'url',
    rest: 'id workspace_id url_digest mean_duration_ms next_slot_at created_at webhook_host_id',
  },
  'public.webhook_hosts': {
    configuration: 'host',
    rest: 'id workspace_id answered_at failures next_try_at created_at',
  },
};
