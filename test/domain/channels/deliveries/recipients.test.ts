import { beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryRow, insertDelivery } from '../../../../db/channels/deliveries.js';
import { lookUpDelaysMs } from '../../../../domain/channels/deliveries/delivery-lookup.js';
import { useDeliveries } from '../../../support/chats/use-deliveries.js';
import { uniquePhone } from '../../../support/workspace/factories.js';

const { workspace, clock, stage, next, claim, record } = useDeliveries();
let uuid: string;
/** The deliveries of one message, to two recipients. */
let first: DeliveryRow;
let second: DeliveryRow;

beforeEach(async () => {
  const written = await stage.write('Hello, both of you');
  uuid = written.message.uuid;
  first = written.delivery;
  const { id: _, uuid: __, workspaceId: ___, ...same } = first;
  second = await workspace.within((tx) => insertDelivery(tx, { ...same, recipient: uniquePhone() }));
});

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
    await record(second, { state: 'sent' });
    await stage.write('And another thing');
    expect(await next()).toEqual({ kind: 'wait', until: clock.now().getTime() + (lookUpDelaysMs[0] ?? 0) });
    clock.advance(lookUpDelaysMs[0] ?? 0);
    expect(await next()).toEqual({ kind: 'resolve', deliveryId: first.id });
  });

  it('is delivered once both have it', async () => {
    await claim(first);
    await claim(second);
    await record(first, { state: 'delivered' });
    expect(await shown()).toEqual(['sent', null]);
    await record(second, { state: 'delivered' });
    expect(await shown()).toEqual(['delivered', null]);
  });

  it('has failed if one does not get it, whoever is first', async () => {
    await claim(first);
    await claim(second);
    await record(first, { state: 'failed', errorCode: '30005' });
    await record(second, { state: 'delivered' });
    expect(await shown()).toEqual(['failed', 'unknown_number']);
  });

  it('shows both results when they come at once', async () => {
    await claim(first);
    await claim(second);
    await Promise.all([record(first, { state: 'delivered' }), record(second, { state: 'delivered' })]);
    expect(await shown()).toEqual(['delivered', null]);
  });
});
