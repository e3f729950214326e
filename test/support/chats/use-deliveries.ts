import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { claimDelivery } from '../../../domain/channels/deliveries/claim-delivery.js';
import { nextDelivery } from '../../../domain/channels/deliveries/next-delivery.js';
import { recordDeliveryNews } from '../../../domain/channels/deliveries/record-delivery-news.js';
import { later } from '../lib/later.js';
import { MovedClock } from '../lib/moved-clock.js';
import { type UseWorkspaceOptions, useWorkspace } from '../workspace/use-workspace.js';
import { type DeliveryStage, stageDeliveries } from './delivery-stage.js';

type Delivery = { id: number };

/** A workspace, and for each test a chat by SMS whose deliveries the test carries out step by step. */
export function useDeliveries(options?: UseWorkspaceOptions) {
  const { workspace } = useWorkspace(options);
  let clock: MovedClock;
  let stage: DeliveryStage;
  beforeEach(async () => {
    clock = new MovedClock();
    stage = await stageDeliveries(workspace, clock);
  });
  const context = () => ({ db: workspace.database, clock, outreach: liveOutreach });
  const refOf = ({ id: deliveryId }: Delivery) => ({ workspaceId: workspace.workspaceId, deliveryId });
  return {
    workspace,
    clock: later(() => clock),
    stage: later(() => stage),
    /** The test goes on with a chat or a clock of its own. */
    goOnWith: (own: { stage?: DeliveryStage; clock?: MovedClock }) => {
      stage = own.stage ?? stage;
      clock = own.clock ?? clock;
    },
    context,
    refOf,
    next: (chatId = stage.chatId) => nextDelivery(context(), { workspaceId: workspace.workspaceId, chatId }),
    claim: (delivery: Delivery, token: string = randomUUID()) =>
      claimDelivery(context(), refOf(delivery), token),
    /** Records what the run learnt about an attempt. */
    record: (delivery: Delivery, news: Parameters<typeof recordDeliveryNews>[3], attempt = 1) =>
      recordDeliveryNews(context(), refOf(delivery), attempt, news),
  };
}
