import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasOptedOut } from '../../../../db/channels/sms-opt-outs.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { type DeliveryStage, stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { useSignedApi } from './signed-api.js';

const { workspace } = useWorkspace();
const api = useSignedApi(() => workspace.database);
let stage: DeliveryStage;
let deliveryId: number;
let messageUuid: string;

beforeEach(async () => {
  stage = await stageDeliveries(workspace, new MovedClock());
  const written = await stage.write('On its way');
  deliveryId = written.delivery.id;
  messageUuid = written.message.uuid;
  await claim();
});

const claim = () =>
  claimDelivery(workspace.context(), { workspaceId: workspace.workspaceId, deliveryId }, randomUUID());
const pathOf = (uuid: string, attempt: number | string = 1, workspaceUuid = workspace.workspaceUuid) =>
  `/w/${workspaceUuid}/carrier-messages/${uuid}/status?attempt=${attempt}`;
const report = (status: string, more: Record<string, string> = {}, attempt = 1) =>
  api.call(pathOf(messageUuid, attempt), { MessageSid: 'SM1', MessageStatus: status, To: '+1', ...more });
const shown = async () => {
  const { smsDeliveryStatus, smsDeliveryErrorCode, smsDeliveryFailureReason } =
    await stage.message(messageUuid);
  return [smsDeliveryStatus, smsDeliveryErrorCode, smsDeliveryFailureReason];
};

describe('a malformed status callback', () => {
  it.each([
    ['MessageSid', 'Robin Sample'],
    ['ErrorCode', 'R. Sample'],
  ])('returns 400 for %s without repeating or storing the value', async (field, words) => {
    const answer = await report('failed', { [field]: words });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${field}` }] } });
    expect(JSON.stringify(answer.body)).not.toContain(words);
    expect((await stage.delivery(messageUuid)).state).toBe('claimed');
  });
});

describe('the status callback signature', () => {
  const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };
  it.each([
    ['missing', undefined],
    ['made with another token', { token: 'a guess' }],
    ['of other fields', { form: { ...form, MessageStatus: 'failed' } }],
  ])('returns 401 for a signature that is %s', async (_what, signed) => {
    expect(await api.callUnsigned(pathOf(messageUuid), form, signed)).toMatchObject({ status: 401 });
    expect((await stage.delivery(messageUuid)).state).toBe('claimed');
  });

  it('covers the attempt number in the path', async () => {
    const answer = await api.callUnsigned(pathOf(messageUuid, 2), form, { path: pathOf(messageUuid, 1) });

    expect(answer.status).toBe(401);
  });
});

describe('a status callback for a message', () => {
  it('updates the status that the message shows', async () => {
    expect((await report('sent')).status).toBe(204);
    expect(await shown()).toEqual(['sent', null, null]);
    expect((await report('delivered')).status).toBe(204);
    expect(await shown()).toEqual(['delivered', null, null]);
    expect(await stage.delivery(messageUuid)).toMatchObject({ state: 'delivered', carrierMessageId: 'SM1' });
  });

  it.each([
    ['come twice', ['delivered', 'delivered']],
    ['come late', ['sent', 'delivered', 'queued', 'sent']],
    ['come out of order', ['delivered', 'sent', 'failed']],
  ])('changes nothing more for statuses that %s', async (_what, statuses) => {
    for (const status of statuses) expect((await report(status)).status).toBe(204);

    expect(await shown()).toEqual(['delivered', null, null]);
  });

  it('keeps the first failure reason', async () => {
    await report('undelivered', { ErrorCode: '30005' });
    await report('failed', { ErrorCode: '30007' });
    await report('delivered');

    expect(await shown()).toEqual(['failed', '30005', 'unknown_number']);
  });

  it('ignores an unknown status', async () => {
    expect((await report('levitating')).status).toBe(204);
    expect((await stage.delivery(messageUuid)).state).toBe('claimed');
  });

  it('records an opt-out that the carrier reports', async () => {
    await report('failed', { ErrorCode: '21610' });

    const isOut = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
      hasOptedOut(tx, stage.member.row.phone ?? ''),
    );
    expect(isOut).toBe(true);
    expect(await shown()).toEqual(['failed', '21610', 'opted_out']);
  });

  it('ignores a superseded attempt', async () => {
    await report('undelivered', { ErrorCode: '30003' });
    expect((await stage.delivery(messageUuid)).state).toBe('queued');
    await report('undelivered', { ErrorCode: '30003' });
    await claim();

    await report('delivered', {}, 1);
    expect(await stage.delivery(messageUuid)).toMatchObject({ state: 'claimed', attempts: 2 });
    await report('delivered', {}, 2);
    expect((await stage.delivery(messageUuid)).state).toBe('delivered');
  });

  it('results in one state when twenty callbacks arrive at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => report(index % 2 === 0 ? 'sent' : 'delivered')),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await shown()).toEqual(['delivered', null, null]);
  });
});

describe('a status callback without a matching message', () => {
  const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };
  it.each([
    ['an unknown message', () => pathOf(randomUUID())],
    ['a message that has no uuid', () => pathOf('nothing')],
    ['an unknown workspace', () => pathOf(messageUuid, 1, randomUUID())],
    ['a workspace that has no uuid', () => pathOf(messageUuid, 1, 'nowhere')],
  ])('returns 204 and changes nothing: %s', async (_what, path) => {
    expect((await api.call(path(), form)).status).toBe(204);
    expect((await stage.delivery(messageUuid)).state).toBe('claimed');
  });

  it('does not reach a message of another workspace', async () => {
    const other = await createWorkspace(workspace.database);

    expect((await api.call(pathOf(messageUuid, 1, other.workspaceUuid), form)).status).toBe(204);
    expect((await stage.delivery(messageUuid)).state).toBe('claimed');
  });
});
