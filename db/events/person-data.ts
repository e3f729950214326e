import { type PersonTables, tableWithoutModel } from '../lib/person-data.js';
import { EventRuleModel } from './models/event-rule.js';
import { EventRuleNoticeModel } from './models/event-rule-notice.js';
import { EventRuleSecretModel } from './models/event-rule-secret.js';
import { HandoffNoticeModel } from './models/handoff-notice.js';
import { WebhookDeliveryModel } from './models/webhook-delivery.js';
import { WebhookEndpointModel } from './models/webhook-endpoint.js';

const events = tableWithoutModel('events', {
  personal: 'body',
  code: 'event_type',
  other: 'id workspace_id uuid data_record_id created_at is_test member_id',
});

/** What the tables of this area hold of a person. */
export const eventsTables: PersonTables = {
  aboutMembers: [
    {
      model: events,
      about: 't.member_id = :member',
      exported: { file: 'events', internal: true },
      erased: { by: 'delete' },
    },
    {
      model: WebhookDeliveryModel,
      about: 't.event_id in (select id from events where member_id = :member)',
      exported: { file: 'webhook-deliveries', internal: true },
      erased: { by: 'cascade', from: events },
    },
    {
      model: tableWithoutModel('webhook_attempts', {
        personal: 'response_body',
        code: 'error_code',
        other:
          'id workspace_id webhook_delivery_id webhook_endpoint_id number started_at lease_until finished_at duration_ms status_code webhook_host_id',
      }),
      about:
        't.webhook_delivery_id in (select id from webhook_deliveries where event_id in (select id from events where member_id = :member))',
      exported: { file: 'webhook-attempts', internal: true },
      erased: { by: 'cascade', from: events },
    },
    {
      model: EventRuleNoticeModel,
      about: 't.member_id = :member',
      // The secret is the workspace's, and nothing about the person.
      exported: { file: 'notices', leftOut: 'secret_id' },
      erased: { by: 'delete' },
    },
    {
      model: HandoffNoticeModel,
      about: 't.member_id = :member',
      exported: { file: 'handoff-notices' },
      erased: { by: 'delete' },
    },
  ],
  others: [
    EventRuleModel,
    EventRuleSecretModel,
    WebhookEndpointModel,
    tableWithoutModel('webhook_hosts', {
      configuration: 'host',
      other: 'id workspace_id answered_at failures next_try_at created_at',
    }),
  ],
};
