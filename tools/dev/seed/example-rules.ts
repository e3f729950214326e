import { demo } from '../../../api/http/demo.js';
import { insertSampleEvent } from '../../../db/events/events.js';
import { startWebhookDeliveries } from '../../../db/events/start-webhook-deliveries.js';
import { createEventRule } from '../../../domain/events/event-rules/create-event-rule.js';
import { disableEventRule } from '../../../domain/events/event-rules/disable-event-rule.js';
import type { EventRulesContext } from '../../../domain/events/event-rules/signing-secrets.js';
import { samplePayloads } from '../../../domain/kernel/events/sample-payloads.js';
import { expectId } from './expect-id.js';

export type RulesContext = EventRulesContext;

const eventType = 'member:updated';
/** The discard port: nothing listens there. */
const noReceiver = 'http://127.0.0.1:9/hooks/none';

/** Creates the event rules of the examples, with a delivery that arrives and one that stays pending. */
export async function buildExampleRules(context: RulesContext, receiverUrl: string): Promise<void> {
  const addRule = async (name: string, url: string, expected: number) => {
    const { rule } = await createEventRule(context, { name, eventType, receiver: { url } });
    expectId('event rule', rule, expected);
  };
  await addRule('Changed members', receiverUrl, demo.eventRuleId);
  await addRule('To be enabled and disabled', receiverUrl, demo.eventRuleToDisable);
  await disableEventRule(context, demo.eventRuleToDisable);
  await addRule('To be deleted', receiverUrl, demo.eventRuleToDelete);
  await disableEventRule(context, demo.eventRuleToDelete);
  await addRule('Receiver that does not answer', noReceiver, demo.eventRuleWithoutReceiver);
  const { db, actor, clock } = context;
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const payload = JSON.stringify({ test: true, ...samplePayloads[eventType] });
    const event = { uuid: demo.eventUuid, eventType, payload, dataRecordId: null, memberId: null } as const;
    const eventId = await insertSampleEvent(tx, event, now);
    const deliver = async (eventRuleId: number, trigger: 'test' | 'redelivery', expected: number) => {
      const delivery = { eventRuleId, eventIds: [eventId], trigger, requestedByMemberId: null, now };
      const [started] = await startWebhookDeliveries(tx, delivery);
      expectId('delivery', started ?? { id: 0 }, expected);
    };
    await deliver(demo.eventRuleId, 'test', demo.deliveryId);
    // A test is attempted once only.
    await deliver(demo.eventRuleWithoutReceiver, 'redelivery', demo.pendingDelivery);
  });
}
