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
    'Events are sent from the next one on. `deliverMissedEvents` delivers the events that happened while it was disabled, and `redeliverFailedEvents` repeats failed deliveries.',
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
    'Events that happen while the rule is disabled are not delivered, unless `deliverMissedEvents` is called after it is enabled. What is on its way is not tried again.',
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
    'The answer holds the new secret, this once; it is valid at once. The ones before stay valid for `overlapSeconds`, ' +
    'and deliveries are signed with all of them. At most five are valid at a time.',
  access: writers,
  body: RotateSecretRequest,
  response: { status: 200, schema: EventRuleWithSecretResponse },
  idempotent: true,
  secretAnswer: true,
  errors: { 409: 'Five secrets are valid (`too_many_secrets`).' },
  handler: async ({ context, encryption, params, body }) => {
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
  summary: 'Send a sample',
  description:
    'Delivers a sample of the rule’s events as events are delivered, with `"test": true` in its body; a rule that is ' +
    'disabled sends it as well. The answer is the delivery, whose outcome is found where deliveries are listed.',
  access: writers,
  response: { status: 201, schema: WebhookDeliveryResponse },
  handler: async ({ context, params }) =>
    presentWebhookDelivery(await testEventRule(context, params.event_rule_id)),
});

export const eventRuleActions = [enable, disable, rotateSecret, test];
