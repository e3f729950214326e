import { createEventRule } from '../../../domain/events/event-rules/create-event-rule.js';
import { listEventRules } from '../../../domain/events/event-rules/event-rule-details.js';
import type { EventRulesContext } from '../../../domain/events/event-rules/signing-secrets.js';
import { updateEventRule } from '../../../domain/events/event-rules/update-event-rule.js';
import { recordsHook } from './configure-simulators.js';

const ruleName = 'Records, told to the webhook sink';

export interface Sink {
  url: string;
  signingSecret: string;
}

/** Creates the event rule that sends data record events to the sink, or updates its URL if the sink has moved. */
export async function ensureRecordWebhook(
  context: EventRulesContext,
  { url, signingSecret }: Sink,
): Promise<void> {
  // The address needs no check (`checkReceiver`), because the launcher chose it itself.
  const receiver = { url: `${url}/hooks/${recordsHook}` };
  const page = { page: 1, pageSize: 100, sortBy: 'name', sortOrder: 'asc' } as const;
  const { items } = await listEventRules(context, page);
  const found = items.find(({ name }) => name === ruleName);
  if (found === undefined) {
    const rule = { name: ruleName, eventType: 'data_record:changed', receiver, signingSecret } as const;
    await createEventRule(context, rule);
  } else if (found.webhookUrl !== receiver.url) {
    await updateEventRule(context, found.id, { receiver });
  }
}
