import { createHash } from 'node:crypto';
import type { EventType } from '../../domain/events/event-types.js';
import { type Place, randomTag } from './factories.js';

export interface EventRuleOptions {
  url?: string;
  enabled?: boolean;
  deletedAt?: Date;
}

/** A rule as rows, by whatever way it came to be as it is. Returns its id. */
export async function addEventRule(
  { database, workspaceId }: Pick<Place, 'database' | 'workspaceId'>,
  eventType: EventType,
  { url = `https://receiver.example.com/${randomTag()}`, enabled = true, deletedAt }: EventRuleOptions = {},
): Promise<number> {
  return database.inWorkspace(workspaceId, async (tx) => {
    const digest = createHash('sha256').update(url).digest();
    const [endpoint] = await tx('webhook_endpoints')
      .insert({ workspace_id: workspaceId, url, url_digest: digest })
      .onConflict(['workspace_id', 'url_digest'])
      .merge({ url })
      .returning('id');
    const [rule] = await tx('event_rules')
      .insert({
        workspace_id: workspaceId,
        name: `Rule ${randomTag()}`,
        event_type: eventType,
        action_type: 'webhook:send',
        webhook_endpoint_id: endpoint.id,
        enabled,
        disabled_at: enabled ? null : new Date(),
        disabled_reason: enabled ? null : 'by_member',
        deleted_at: deletedAt ?? null,
      })
      .returning('id');
    return rule.id;
  });
}
