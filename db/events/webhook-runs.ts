/**
 * Part of a statement that writes the outbox entries for the runs of new webhook deliveries. `deliveries` is an earlier
 * part that returns their id, uuid, event_rule_id, event_type and workspace_id. The input is `WebhookRunInput`
 * (workflows/contracts/runs.ts).
 */
export const insertRunsOfDeliveries = `insert into outbox (workspace_id, run_type, subject, action, input)
     select d.workspace_id, 'deliverWebhook', d.uuid, 'start',
       jsonb_build_object('deliveryId', d.id, 'ruleId', d.event_rule_id, 'eventType', d.event_type,
         'workspaceId', d.workspace_id, 'workspaceUuid', (select uuid from identity.workspaces where id = ?))
     from deliveries d`;
