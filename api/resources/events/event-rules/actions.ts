import { disableEventRule } from '../../../../domain/events/event-rules/disable-event-rule.js';
import { enableEventRule } from '../../../../domain/events/event-rules/enable-event-rule.js';
import { rotateSigningSecret } from '../../../../domain/events/event-rules/rotate-signing-secret.js';
import { testEventRule } from '../../../../domain/events/event-rules/test-event-rule.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentWebhookDelivery } from '../webhook-deliveries/presenter.js';
import { WebhookDeliveryResponse } from '../webhook-deliveries/schemas.js';
import { presentEventRule, presentWithSecret } from './presenter.js';
import {
  EventRuleResponse,
  EventRuleWithSecretResponse,
  longestOverlapSeconds,
  RotateSecretRequest,
} from './schemas.js';

const tag = 'Event rules';
const writers = workspaceMember({ scope: 'event_rules:write', permission: 'event_rules:write' });

const enable = defineRoute({
  operationId: 'enableEventRule',
  method: 'POST',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/enable',
  tag,
  summary: 'Enable an event rule',
  description:
    'Sends events from the next one on. `deliverMissedEvents` delivers the events that happened while the rule was disabled, and `redeliverFailedEvents` repeats failed deliveries.',
  access: writers,
  response: { status: 200, schema: EventRuleResponse },
  handler: async ({ context, params }) =>
    presentEventRule(await enableEventRule(context, params.event_rule_id)),
});

const disable = defineRoute({
  operationId: 'disableEventRule',
  method: 'POST',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/disable',
  tag,
  summary: 'Disable an event rule',
  description:
    'Events that happen while the rule is disabled are not delivered, unless `deliverMissedEvents` is called after it is enabled. Pending deliveries are not attempted again.',
  access: writers,
  response: { status: 200, schema: EventRuleResponse },
  handler: async ({ context, params }) =>
    presentEventRule(await disableEventRule(context, params.event_rule_id)),
});

const rotateSecret = defineRoute({
  operationId: 'rotateEventRuleSecret',
  method: 'POST',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/rotate-secret',
  tag,
  summary: 'Rotate the signing secret of an event rule',
  description:
    'The answer contains the new secret, only this once; it is valid immediately. The earlier secrets stay valid for `overlapSeconds`, and deliveries are signed with all valid secrets, of which there are at most five.',
  access: writers,
  body: RotateSecretRequest,
  response: { status: 200, schema: EventRuleWithSecretResponse },
  idempotent: true,
  secretAnswer: true,
  errors: { 409: 'Five secrets are already valid (`too_many_secrets`).' },
  handler: async ({ context, services: { encryption }, params, body }) => {
    const { signingSecret, overlapSeconds = longestOverlapSeconds } = body;
    const secret = signingSecret === undefined ? {} : { signingSecret };
    return presentWithSecret(
      await rotateSigningSecret({ ...context, encryption }, params.event_rule_id, {
        overlapSeconds,
        ...secret,
      }),
    );
  },
});

const test = defineRoute({
  operationId: 'testEventRule',
  method: 'POST',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}/test',
  tag,
  summary: 'Send a sample event',
  description:
    'Delivers a sample of the rule’s event type like a real event, with `"test": true` in its body, even if the rule is disabled. The answer is the delivery; to get its outcome, read the rule’s deliveries.',
  access: writers,
  response: { status: 201, schema: WebhookDeliveryResponse },
  handler: async ({ context, params }) =>
    presentWebhookDelivery(await testEventRule(context, params.event_rule_id)),
});

export const eventRuleActions = [enable, disable, rotateSecret, test];
