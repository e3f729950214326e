import type { PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { EventModel } from './models/event.js';
import { EventRuleModel } from './models/event-rule.js';
import { EventRuleNoticeModel } from './models/event-rule-notice.js';
import { EventRuleSecretModel } from './models/event-rule-secret.js';
import { HandoffNoticeModel } from './models/handoff-notice.js';
import { WebhookAttemptModel } from './models/webhook-attempt.js';
import { WebhookDeliveryModel } from './models/webhook-delivery.js';
import { WebhookEndpointModel } from './models/webhook-endpoint.js';
import { WebhookHostModel } from './models/webhook-host.js';

/** What the tables of this area hold of a person. */
export const eventsTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: EventModel,
      about: 't.member_id = :member',
      exported: { file: 'events', internal: true },
      erased: { by: 'delete' },
    },
    {
      model: WebhookDeliveryModel,
      about: 't.event_id in (select id from events where member_id = :member)',
      exported: { file: 'webhook-deliveries', internal: true },
      erased: { by: 'cascade', from: EventModel },
    },
    {
      model: WebhookAttemptModel,
      about:
        't.webhook_delivery_id in (select id from webhook_deliveries where event_id in (select id from events where member_id = :member))',
      exported: { file: 'webhook-attempts', internal: true },
      erased: { by: 'cascade', from: EventModel },
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
  others: [EventRuleModel, EventRuleSecretModel, WebhookEndpointModel, WebhookHostModel],
};
