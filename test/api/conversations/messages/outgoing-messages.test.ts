import { beforeAll, describe, expect, it } from 'vitest';
import { settleDelivery } from '../../../../domain/channels/deliveries/settle-delivery.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { type DeliveryStage, stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();
let stage: DeliveryStage;

const list = async (query: string) => (await asAdmin('GET', `/messages?${query}`)).body;
const textsOf = (page: { items: { text: string }[] }) => page.items.map(({ text }) => text);

beforeAll(async () => {
  const clock = new MovedClock(new Date(Date.now() - minutes(5)));
  stage = await stageDeliveries(workspace, clock);
  const other = await stageDeliveries(workspace, clock);
  for (const [place, text] of [
    [stage, 'First'],
    [other, 'Second'],
    [stage, 'Third'],
  ] as const) {
    const { delivery } = await place.write(text);
    const failed = {
      state: 'failed',
      failureReason: 'landline_or_unreachable_carrier',
      errorCode: '30006',
      learntBy: 'run',
    } as const;
    await workspace.within((tx) => settleDelivery(tx, delivery, failed, clock.now()));
  }
  const { delivery } = await other.write('Sent');
  await workspace.within((tx) =>
    settleDelivery(tx, delivery, { state: 'delivered', learntBy: 'run' }, clock.now()),
  );
  await stage.write('Waits');
});

describe('messages of all chats', () => {
  it('that failed are listed with why, the newest first', async () => {
    const { items } = await list('deliveryStatus=failed');

    expect(textsOf({ items })).toEqual(['Third', 'Second', 'First']);
    expect(items[0]).toMatchObject({
      chatId: stage.chatId,
      channel: 'phone-sms',
      memberId: stage.member.memberId,
      memberName: stage.member.row.name,
      author: 'person',
      authorMemberId: workspace.admin.memberId,
      deliveryStatus: 'failed',
      failureReason: 'landline_or_unreachable_carrier',
      errorCode: '30006',
    });
  });

  it('that wait to be sent are listed alone', async () => {
    const { items } = await list('deliveryStatus=waiting');

    expect(items).toMatchObject([{ text: 'Waits', deliveryStatus: 'waiting', attempts: 0 }]);
    expect(items[0]).not.toHaveProperty('failureReason');
  });

  it('are listed page by page, without a gap or a repetition', async () => {
    const first = await list('deliveryStatus=failed&limit=2');
    const second = await list(`deliveryStatus=failed&limit=2&before=${first.next}`);

    expect([...textsOf(first), ...textsOf(second)]).toEqual(['Third', 'Second', 'First']);
    expect(second).not.toHaveProperty('next');
  });

  it('are narrowed by channel and time', async () => {
    expect(textsOf(await list('deliveryStatus=failed&channel=email'))).toEqual([]);
    const later = new Date(Date.now() + minutes(60)).toISOString();
    expect(textsOf(await list(`deliveryStatus=failed&createdFrom=${later}`))).toEqual([]);
    expect(textsOf(await list(`deliveryStatus=failed&createdBefore=${later}`))).toHaveLength(3);
  });

  it.each(['', 'deliveryStatus=sent', 'deliveryStatus=failed&limit=101'])('refuses “%s”', async (query) => {
    expect((await asAdmin('GET', `/messages?${query}`)).status).toBe(400);
  });
});

describeAccess({ api, workspace, otherWorkspace }, ['the messages that failed'], () => [
  {
    method: 'GET',
    path: '/messages?deliveryStatus=failed',
    scope: 'chats:read',
    needsPermission: true,
    namesItem: false,
  },
]);
