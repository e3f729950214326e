import type { Static } from 'typebox';
import type { EventRuleDetails } from '../../../../domain/events/event-rules/event-rule-details.js';
import type { EventType } from '../../../../domain/kernel/events/event-types.js';
import type { EventRuleResponse, EventRuleWithSecretResponse } from './schemas.js';

export function presentEventRule(rule: EventRuleDetails): EventRuleResponse {
  return {
    id: rule.id,
    uuid: rule.uuid,
    name: rule.name,
    eventType: rule.eventType as EventType,
    actionType: 'webhook:send',
    actionParams: { webhookUrl: rule.webhookUrl },
    enabled: rule.enabled,
    disabledAt: rule.disabledAt?.toISOString() ?? null,
    disabledReason: rule.disabledReason,
    receiverAnsweredAt: rule.receiverAnsweredAt?.toISOString() ?? null,
    failingSince: rule.failingSince?.toISOString() ?? null,
    secrets: rule.secrets.map(({ uuid, createdAt, expiresAt }) => ({
      uuid,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    createdAt: rule.createdAt.toISOString(),
    updatedAt: rule.updatedAt.toISOString(),
  };
}

/** Presents a rule with its new secret, which is shown only once. */
export function presentWithSecret({
  rule,
  signingSecret,
}: {
  rule: EventRuleDetails;
  signingSecret: string | null;
}): Static<typeof EventRuleWithSecretResponse> {
  const shown = presentEventRule(rule);
  const secret = signingSecret === null ? {} : { signingSecret };
  return { ...shown, actionParams: { ...shown.actionParams, ...secret } };
}
