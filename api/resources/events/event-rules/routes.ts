import { createEventRule } from '../../../../domain/events/event-rules/create-event-rule.js';
import { deleteEventRule } from '../../../../domain/events/event-rules/delete-event-rule.js';
import { disableEventRule } from '../../../../domain/events/event-rules/disable-event-rule.js';
import { enableEventRule } from '../../../../domain/events/event-rules/enable-event-rule.js';
import type { EventRuleDetails } from '../../../../domain/events/event-rules/event-rule-details.js';
import { getEventRule, listEventRules } from '../../../../domain/events/event-rules/event-rule-details.js';
import { checkReceiver } from '../../../../domain/events/event-rules/receiver.js';
import { rotateSigningSecret } from '../../../../domain/events/event-rules/rotate-signing-secret.js';
import { testEventRule } from '../../../../domain/events/event-rules/test-event-rule.js';
import { updateEventRule } from '../../../../domain/events/event-rules/update-event-rule.js';
import type { EventType } from '../../../../domain/kernel/events/event-types.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { presentWebhookDelivery } from '../webhook-deliveries/presenter.js';
import { WebhookDeliveryResponse } from '../webhook-deliveries/schemas.js';
import {
  CreateEventRuleRequest,
  EventRulePage,
  EventRuleResponse,
  EventRuleWithSecretResponse,
  ListEventRulesQuery,
  maxOverlapSeconds,
  RotateSecretRequest,
  UpdateEventRuleRequest,
} from './schemas.js';

const eventRules = resource({
  tag: 'Event rules',
  path: '/w/{workspace_uuid}/event-rules',
  read: workspaceMember({ scope: 'event_rules:read', permission: 'event_rules:read' }),
  write: workspaceMember({ scope: 'event_rules:write', permission: 'event_rules:write' }),
});

const list = eventRules.list({
  operationId: 'listEventRules',
  summary: 'List event rules',
  query: ListEventRulesQuery,
  response: EventRulePage,
  handler: async ({ context, query }) =>
    presentPage(query, await listEventRules(context, query), presentEventRule),
});

const create = eventRules.create({
  operationId: 'createEventRule',
  audit: ['event_rule:created'],
  summary: 'Create an event rule',
  description:
    'Sends events of one type to a URL, from the next event on; several rules may have the same type. The answer contains the secret that signs deliveries, only this once. A refused URL is named in `errors`, with a code such as `https_required`, `invalid_url` or `address_refused`. A host that has never answered this workspace with 2xx gets one request at a time, and none for up to five minutes after each failure. Test the rule to lift this limit: it ends with the first 2xx.',
  body: CreateEventRuleRequest,
  example: {
    body: {
      name: 'New chats',
      eventType: 'chat:created',
      actionType: 'webhook:send',
      actionParams: { webhookUrl: demo.receiverUrl },
    },
  },
  response: EventRuleWithSecretResponse,
  secretAnswer: true,
  errors: {
    409: 'The workspace has 100 rules (`too_many_event_rules`), or has added 200 hosts within a day that have never answered it (`too_many_new_receivers`).',
  },
  prepare: ({ body, services }) => checkReceiver(services.webhookAddresses, body.actionParams.webhookUrl),
  handler: async ({ context, services: { encryption }, body, prepared: receiver }) => {
    const { name, eventType, actionParams } = body;
    const { signingSecret } = actionParams;
    const rule = { name, eventType, receiver, signingSecret };
    return presentWithSecret(await createEventRule({ ...context, encryption }, rule));
  },
});

const get = eventRules.get('/{event_rule_id}', {
  operationId: 'getEventRule',
  summary: 'Get an event rule',
  response: EventRuleResponse,
  handler: async ({ context, params }) => presentEventRule(await getEventRule(context, params.event_rule_id)),
});

const update = eventRules.update('/{event_rule_id}', {
  operationId: 'updateEventRule',
  audit: ['event_rule:updated'],
  summary: 'Change an event rule',
  description:
    'Omitted fields keep their values. Pending deliveries go to the new URL from their next attempt on. To change the secret, rotate it.',
  body: UpdateEventRuleRequest,
  example: { body: { name: 'Changed members' } },
  response: EventRuleResponse,
  errors: {
    409: 'The workspace has added 200 hosts within a day that have never answered it (`too_many_new_receivers`).',
  },
  prepare: async ({ body: { actionParams }, services }) =>
    actionParams && checkReceiver(services.webhookAddresses, actionParams.webhookUrl),
  handler: async ({ context, params, body, prepared: receiver }) => {
    const { actionParams: _, ...changes } = body;
    return presentEventRule(await updateEventRule(context, params.event_rule_id, { ...changes, receiver }));
  },
});

const remove = eventRules.remove('/{event_rule_id}', {
  operationId: 'deleteEventRule',
  summary: 'Delete an event rule',
  description:
    "The rule's secrets are deleted at once, and pending deliveries are cancelled at their next attempt.",
  example: { params: { event_rule_id: demo.eventRuleToDelete }, once: true },
  handler: async ({ context, params }) => deleteEventRule(context, params.event_rule_id),
});

const enable = eventRules.act('/{event_rule_id}/enable', {
  operationId: 'enableEventRule',
  summary: 'Enable an event rule',
  description:
    'Sends events from the next one on. `deliverMissedEvents` delivers the events that happened while the rule was disabled, and `redeliverFailedEvents` repeats failed deliveries.',
  example: { params: { event_rule_id: demo.eventRuleToDisable } },
  response: EventRuleResponse,
  handler: async ({ context, params }) =>
    presentEventRule(await enableEventRule(context, params.event_rule_id)),
});

const disable = eventRules.act('/{event_rule_id}/disable', {
  operationId: 'disableEventRule',
  summary: 'Disable an event rule',
  description:
    'Events that happen while the rule is disabled are not delivered, unless `deliverMissedEvents` is called after it is enabled. Pending deliveries are not attempted again.',
  example: { params: { event_rule_id: demo.eventRuleToDisable } },
  response: EventRuleResponse,
  handler: async ({ context, params }) =>
    presentEventRule(await disableEventRule(context, params.event_rule_id)),
});

const rotateSecret = eventRules.act('/{event_rule_id}/rotate-secret', {
  operationId: 'rotateEventRuleSecret',
  audit: ['event_rule:secret_rotated'],
  summary: 'Rotate the signing secret of an event rule',
  description:
    'The answer contains the new secret, only this once; it is valid immediately. The earlier secrets stay valid for `overlapSeconds`, and deliveries are signed with all valid secrets, of which there are at most five.',
  body: RotateSecretRequest,
  example: { body: { overlapSeconds: 3_600 } },
  response: EventRuleWithSecretResponse,
  idempotent: true,
  secretAnswer: true,
  errors: { 409: 'Five secrets are already valid (`too_many_secrets`).' },
  handler: async ({ context, services: { encryption }, params, body }) => {
    const { signingSecret, overlapSeconds = maxOverlapSeconds } = body;
    const rotation = { signingSecret, overlapSeconds };
    return presentWithSecret(
      await rotateSigningSecret({ ...context, encryption }, params.event_rule_id, rotation),
    );
  },
});

const test = eventRules.create('/{event_rule_id}/test', {
  operationId: 'testEventRule',
  summary: 'Send a sample event',
  description:
    'Delivers a sample of the rule’s event type like a real event, with `"test": true` in its body, even if the rule is disabled. The answer is the delivery; to get its outcome, read the rule’s deliveries.',
  response: WebhookDeliveryResponse,
  handler: async ({ context, params }) =>
    presentWebhookDelivery(await testEventRule(context, params.event_rule_id)),
});

function presentEventRule(rule: EventRuleDetails) {
  const { eventType, webhookUrl } = rule;
  const action = { actionType: 'webhook:send', actionParams: { webhookUrl } } as const;
  return { ...rule, ...action, eventType: eventType as EventType };
}

/** Shows a rule with its new secret, which is shown only once. */
function presentWithSecret(made: { rule: EventRuleDetails; signingSecret: string | null }) {
  const { rule, signingSecret } = made;
  return { ...presentEventRule(rule), actionParams: { webhookUrl: rule.webhookUrl, signingSecret } };
}

export const eventRuleRoutes = [list, create, get, update, remove, enable, disable, rotateSecret, test];
