import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryRow, insertDelivery } from '../../../../db/channels/deliveries.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { lookUpDelaysMs } from '../../../../domain/channels/deliveries/find-unknown-delivery.js';
import { nextDelivery } from '../../../../domain/channels/deliveries/next-delivery.js';
import { recordDeliveryNews } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import type { DeliveryNews } from '../../../../domain/channels/deliveries/settle-delivery.js';
import { type DeliveryStage, stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let clock: MovedClock;
let stage: DeliveryStage;
let uuid: string;
/** The deliveries of one message, to two recipients. */
let first: DeliveryRow;
let second: DeliveryRow;

beforeEach(async () => {
  clock = new MovedClock();
  stage = await stageDeliveries(workspace, clock);
  const written = await stage.write('Hello, both of you');
  uuid = written.message.uuid;
  first = written.delivery;
  const { id: _, uuid: __, workspaceId: ___, ...same } = first;
  second = await within((tx) => insertDelivery(tx, { ...same, recipient: uniquePhone() }));
});

const within = <T>(work: Parameters<typeof workspace.database.inWorkspace<T>>[1]) =>
  workspace.database.inWorkspace(workspace.workspaceId, work);
const context = () => ({ db: workspace.database, clock });
const refOf = ({ id: deliveryId }: DeliveryRow) => ({ workspaceId: workspace.workspaceId, deliveryId });
const claim = (delivery: DeliveryRow) => claimDelivery(context(), refOf(delivery), randomUUID());
const tell = (delivery: DeliveryRow, news: Omit<DeliveryNews, 'learntBy'>) =>
  recordDeliveryNews(context(), refOf(delivery), 1, news);
const next = () => nextDelivery(context(), { workspaceId: workspace.workspaceId, chatId: stage.chatId });
const shown = async () => {
  const { smsDeliveryStatus, smsDeliveryFailureReason } = await stage.message(uuid);
  return [smsDeliveryStatus, smsDeliveryFailureReason];
};

describe('a message to two recipients', () => {
  it('is sent to the second while an attempt to the first may be in flight', async () => {
    await claim(first);
    expect(await next()).toEqual({ kind: 'send', deliveryId: second.id });
  });

  it('holds back later messages for the recipient alone whose attempt has no result', async () => {
    await claim(first);
    await claim(second);
    await tell(second, { state: 'sent' });
    await stage.write('And another thing');
    expect(await next()).toEqual({ kind: 'wait', until: clock.now().getTime() + (lookUpDelaysMs[0] ?? 0) });
    clock.advance(lookUpDelaysMs[0] ?? 0);
    expect(await next()).toEqual({ kind: 'resolve', deliveryId: first.id });
  });

  it('is delivered once both have it', async () => {
    await claim(first);
    await claim(second);
    await tell(first, { state: 'delivered' });
    expect(await shown()).toEqual(['sent', null]);
    await tell(second, { state: 'delivered' });
    expect(await shown()).toEqual(['delivered', null]);
  });

  it('has failed if one does not get it, whoever is first', async () => {
    await claim(first);
    await claim(second);
    await tell(first, { state: 'failed', errorCode: '30005' });
    await tell(second, { state: 'delivered' });
    expect(await shown()).toEqual(['failed', 'unknown_number']);
  });

  it('shows both results when they come at once', async () => {
    await claim(first);
    await claim(second);
    await Promise.all([tell(first, { state: 'delivered' }), tell(second, { state: 'delivered' })]);
    expect(await shown()).toEqual(['delivered', null]);
  });
});
