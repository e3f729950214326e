import { createEventRule } from '../../../../domain/events/event-rules/create-event-rule.js';
import { deleteEventRule } from '../../../../domain/events/event-rules/delete-event-rule.js';
import { getEventRule } from '../../../../domain/events/event-rules/get-event-rule.js';
import { listEventRules } from '../../../../domain/events/event-rules/list-event-rules.js';
import { lookAtReceiver } from '../../../../domain/events/event-rules/receiver.js';
import { updateEventRule } from '../../../../domain/events/event-rules/update-event-rule.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { eventRuleActions } from './actions.js';
import { presentEventRule, presentWithSecret } from './presenter.js';
import {
  CreateEventRuleRequest,
  EventRulePage,
  EventRuleResponse,
  EventRuleWithSecretResponse,
  ListEventRulesQuery,
  UpdateEventRuleRequest,
} from './schemas.js';

const tag = 'Event rules';
const readers = workspaceMember({ scope: 'event_rules:read', permission: 'event_rules:read' });
const writers = workspaceMember({ scope: 'event_rules:write', permission: 'event_rules:write' });

const list = defineRoute({
  operationId: 'listEventRules',
  method: 'GET',
  path: '/w/{workspace_uuid}/event-rules',
  tag,
  summary: 'List event rules',
  access: readers,
  query: ListEventRulesQuery,
  response: { status: 200, schema: EventRulePage },
  handler: async ({ context, query }) =>
    presentPage(query, await listEventRules(context, query), presentEventRule),
});

const create = defineRoute({
  operationId: 'createEventRule',
  method: 'POST',
  path: '/w/{workspace_uuid}/event-rules',
  tag,
  summary: 'Create an event rule',
  description:
    'Has events of one type sent to a URL, from the next one on; several rules may share a type. The answer holds the ' +
    'secret that deliveries are signed with, this once. A URL that is refused is named in `errors`, with the code ' +
    '`https_required`, `invalid_url`, `address_refused` or the like. A `call:` type ' +
    'is refused with the code `voice_unavailable`: this version places and takes no calls, so none would ever be told. ' +
    'A host that has never answered this workspace with 2xx is sent one request at a time, and left alone for up to five ' +
    'minutes after each failure: test the rule, and it is sent as much as any other.',
  access: writers,
  body: CreateEventRuleRequest,
  response: { status: 201, schema: EventRuleWithSecretResponse },
  secretAnswer: true,
  errors: {
    409: 'The workspace has 100 rules (`too_many_event_rules`), or has named 200 hosts within a day that have never answered it (`too_many_new_receivers`).',
  },
  prepare: ({ body, webhookAddresses }) => lookAtReceiver(webhookAddresses, body.actionParams.webhookUrl),
  handler: async ({ context, encryption, body, prepared: receiver }) => {
    const { name, eventType, actionParams } = body;
    const { signingSecret } = actionParams;
    const secret = signingSecret === undefined ? {} : { signingSecret };
    const created = await createEventRule(
      { ...context, encryption },
      { name, eventType, receiver, ...secret },
    );
    return presentWithSecret(created);
  },
});

const get = defineRoute({
  operationId: 'getEventRule',
  method: 'GET',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}',
  tag,
  summary: 'Get an event rule',
  access: readers,
  response: { status: 200, schema: EventRuleResponse },
  handler: async ({ context, params }) => presentEventRule(await getEventRule(context, params.event_rule_id)),
});

const update = defineRoute({
  operationId: 'updateEventRule',
  method: 'PUT',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}',
  tag,
  summary: 'Change an event rule',
  description:
    'Fields that are left out stay as they are. What is on its way already goes to the new URL from its next attempt on. ' +
    'Secrets are changed by rotating them. No rule is changed to a `call:` type (`voice_unavailable`); one that has ' +
    'such a type from an earlier release keeps it.',
  access: writers,
  body: UpdateEventRuleRequest,
  response: { status: 200, schema: EventRuleResponse },
  errors: {
    409: 'The workspace has named 200 hosts within a day that have never answered it (`too_many_new_receivers`).',
  },
  prepare: async ({ body: { actionParams }, webhookAddresses }) =>
    actionParams && lookAtReceiver(webhookAddresses, actionParams.webhookUrl),
  handler: async ({ context, params, body, prepared: receiver }) => {
    const { actionParams: _, ...changes } = body;
    return presentEventRule(await updateEventRule(context, params.event_rule_id, { ...changes, receiver }));
  },
});

const remove = defineRoute({
  operationId: 'deleteEventRule',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/event-rules/{event_rule_id}',
  tag,
  summary: 'Delete an event rule',
  description: 'Its secrets are removed at once, and what is on its way is called off at its next attempt.',
  access: writers,
  response: { status: 204 },
  handler: async ({ context, params }) => deleteEventRule(context, params.event_rule_id),
});

export const eventRuleRoutes = [list, create, get, update, remove, ...eventRuleActions];
