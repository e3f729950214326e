import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeliveryRow } from '../../../../db/channels/deliveries.js';
import { holdDelivery } from '../../../../domain/channels/deliveries/hold-delivery.js';
import { recordStatusCallback } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { smsLifeSpanMs } from '../../../../domain/channels/sms/sms-channel.js';
import { deleteFile } from '../../../../domain/files/files/delete-file.js';
import { addFileVersion } from '../../../../domain/files/versions/add-version.js';
import { storeUpload } from '../../../../domain/files/versions/store-upload.js';
import { useDeliveries } from '../../../support/chats/use-deliveries.js';
import { addFile, storageOf } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { gif, png } from '../../../support/files/samples.js';
import { minutes } from '../../../support/lib/moved-clock.js';

const { workspace, clock, stage, context, refOf, next, claim, record } = useDeliveries();

const hold = (delivery: DeliveryRow) => holdDelivery(context(), refOf(delivery));
const alertedFor = async () => (await stage.chat()).needsResponseReason;

function newStore() {
  const store = createMemoryStore();
  onTestFinished(() => store.close());
  return store;
}
const addPicture = (store = newStore()) => addFile(workspace, store, { filename: 'map.png', content: png() });

/** A message with a picture, which the carrier has accepted. */
async function sent() {
  const { delivery, message } = await stage.write('The map', [(await addPicture()).id]);
  await claim(delivery);
  const news = { state: 'sent', carrierMessageId: 'MM1' } as const;
  await record(delivery, news);
  const fail = (errorCode: string, attempt = 1) =>
    recordStatusCallback(context(), {
      workspaceId: workspace.workspaceId,
      messageUuid: message.uuid,
      attempt,
      carrierMessageId: 'MM1',
      carrierStatus: 'failed',
      errorCode,
    });
  return { delivery, uuid: message.uuid, fail };
}

describe('a message with files', () => {
  it('is sent with the version that was current when it was written', async () => {
    const store = newStore();
    const file = await addPicture(store);
    const { delivery } = await stage.write('The map', [file.id]);
    const changed = await storeUpload(workspace.context(), storageOf(store), {
      spooled: await store.spool(gif()),
      name: 'new.gif',
    });
    await addFileVersion(workspace.context(), file.id, changed);

    expect(await claim(delivery)).toMatchObject({
      kind: 'claimed',
      body: 'The map',
      media: [
        { fileId: file.id, versionNumber: 1, filename: 'map.png', objectUuid: file.content.objectUuid },
      ],
    });
  });

  it('fails, and alerts a colleague, when a file was deleted after it was queued', async () => {
    const [kept, deleted] = [await addPicture(), await addPicture()];
    const { delivery, message } = await stage.write('The maps', [kept.id, deleted.id]);
    await deleteFile(workspace.context(), deleted.id);

    expect(await claim(delivery)).toEqual({ kind: 'settled' });

    expect(await stage.message(message.uuid)).toMatchObject({
      smsDeliveryStatus: 'failed',
      smsDeliveryFailureReason: 'file_deleted',
    });
    expect(await alertedFor()).toBe('delivery_failed');
  });

  it.each([
    ['12300', 'media_refused'],
    ['11751', 'media_too_large'],
    ['30011', 'mms_unsupported'],
    ['30007', 'filtered_by_carrier'],
  ])('fails for good, and alerts a colleague, with the code %s of the carrier', async (code, reason) => {
    const { uuid, fail } = await sent();

    await fail(code);

    expect(await stage.delivery(uuid)).toMatchObject({ state: 'failed', failureReason: reason });
    expect(await alertedFor()).toBe('delivery_failed');
    expect(await next()).toEqual({ kind: 'idle' });
  });

  it('is sent again, twice at most, when the carrier could not fetch its media', async () => {
    const { delivery, uuid, fail } = await sent();
    await fail('11200');
    expect(await stage.delivery(uuid)).toMatchObject({ state: 'queued' });
    expect(await alertedFor()).toBeNull();

    for (const attempt of [2, 3]) {
      clock.advance(minutes(5));
      expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt, body: 'The map' });
      await fail('11200', attempt);
    }

    const failed = { state: 'failed', failureReason: 'media_unreachable', attempts: 3 };
    expect(await stage.delivery(uuid)).toMatchObject(failed);
    expect(await alertedFor()).toBe('delivery_failed');
  });

  it('alerts nobody when a message without files fails', async () => {
    const { delivery } = await stage.write('No map');
    await claim(delivery);
    const failed = { state: 'failed', errorCode: '30005' } as const;
    await record(delivery, failed);
    expect(await alertedFor()).toBeNull();
  });
});

describe('holdDelivery', () => {
  it('lets a message wait as long as it has waited, while later replies go on', async () => {
    const held = await stage.write('The map', [(await addPicture()).id]);
    await hold(held.delivery);
    const pauses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      const step = await next();
      pauses.push(step.kind === 'wait' ? step.until - clock.now().getTime() : 0);
      clock.advance(pauses.at(-1) ?? 0);
      expect(await next()).toEqual({ kind: 'send', deliveryId: held.delivery.id });
      await hold(held.delivery);
    }
    expect(pauses).toEqual([30_000, 30_000, 60_000, 120_000]);

    await stage.memberWrites('Where are you?');
    const reply = await stage.write('At the corner');
    expect(await next()).toEqual({ kind: 'send', deliveryId: reply.delivery.id });
  });

  it('does not outlast the message, which then fails and alerts a colleague', async () => {
    const { delivery, message } = await stage.write('The map', [(await addPicture()).id]);
    clock.advance(smsLifeSpanMs - 1);
    await hold(delivery);
    clock.advance(minutes(15));

    expect(await next()).toEqual({ kind: 'send', deliveryId: delivery.id });
    expect(await claim(delivery)).toEqual({ kind: 'settled' });

    expect(await stage.delivery(message.uuid)).toMatchObject({ state: 'failed', failureReason: 'expired' });
    expect(await alertedFor()).toBe('delivery_failed');
  });

  it('changes nothing of a message that is claimed', async () => {
    const { delivery, message } = await stage.write('The map');
    await claim(delivery);
    await hold(delivery);
    expect(await stage.delivery(message.uuid)).toMatchObject({ state: 'claimed', notBefore: null });
  });
});
