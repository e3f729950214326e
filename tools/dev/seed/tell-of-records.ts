import { createEventRule } from '../../../domain/events/event-rules/create-event-rule.js';
import type { EventRulesContext } from '../../../domain/events/event-rules/event-rules-context.js';
import { listEventRules } from '../../../domain/events/event-rules/list-event-rules.js';
import { updateEventRule } from '../../../domain/events/event-rules/update-event-rule.js';

/** The name under which the webhook sink receives what records tell of. */
export const recordsHook = 'records';

const ruleName = 'Records, told to the webhook sink';

export interface Sink {
  /** Where the webhook sink is at this start. */
  url: string;
  /** What it checks signatures with. */
  signingSecret: string;
}

/** Has the webhook sink told of the workspace's data records, wherever it was at an earlier start. */
export async function tellOfRecords(context: EventRulesContext, { url, signingSecret }: Sink): Promise<void> {
  // Not asked for and not looked at: this is the launcher's own.
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
