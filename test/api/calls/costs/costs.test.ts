import { beforeAll, describe, expect, it } from 'vitest';
import { insertPhoneCall, patchPhoneCall } from '../../../../db/calls/phone-calls.js';
import { storeCarrierTexts } from '../../../../db/channels/carrier-texts.js';
import { pricesOfTexts } from '../../../../domain/channels/sms/store-text-prices.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';

const { api, database, workspace, otherWorkspace, asAdmin } = useApi();

/** A call that has ended. */
async function call(
  at: string,
  price: [number, string] | undefined,
  carrierCallId: string | null = `CA${Math.random()}`,
) {
  const { chatId } = await stageFreeChat(workspace);
  const number = await addPhoneNumber(workspace, { voiceEnabled: true });
  const createdAt = new Date(at);
  await database.database.inWorkspace(workspace.workspaceId, async (tx) => {
    const { id } = await insertPhoneCall(tx, {
      chatId,
      phoneNumberId: number.id,
      memberId: workspace.member.memberId,
      inbound: false,
      remoteNumber: '+12025550123',
      begunBy: 'api',
      requestedByMemberId: null,
      assignmentTaskId: null,
      createdAt,
      updatedAt: createdAt,
    });
    await patchPhoneCall(tx, id, {
      carrierCallId,
      startedAt: createdAt,
      finishedAt: createdAt,
      durationSeconds: 60,
      price: price?.[0] ?? null,
      priceUnit: price?.[1] ?? null,
      updatedAt: createdAt,
    });
  });
}

/** A text that the carrier has listed. */
async function text(number: string, at: string, price: [number, string] | undefined, segments = 1) {
  await database.database.inWorkspace(workspace.workspaceId, (tx) =>
    storeCarrierTexts(tx, [
      {
        number,
        carrierMessageId: `SM${Math.random()}`,
        inbound: false,
        sentAt: new Date(at),
        segments,
        price: price?.[0] ?? null,
        priceUnit: price?.[1] ?? null,
      },
    ]),
  );
}

beforeAll(async () => {
  const { identity } = database.database;
  await identity.workspaces.update(workspace.workspaceId, { timezone: 'America/New_York' });
  await call('2026-03-01T04:59:00Z', [9, 'USD']);
  await call('2026-03-01T05:00:00Z', [0.1, 'USD']);
  await call('2026-03-01T15:00:00Z', [0.2, 'USD']);
  await call('2026-03-02T15:00:00Z', [0.5, 'EUR']);
  await call('2026-03-02T15:00:00Z', undefined);
  await call('2026-03-02T15:00:00Z', undefined, null);
  await call('2026-04-01T03:59:00Z', [0.3, 'USD']);
  const { id, number } = await addPhoneNumber(workspace);
  await database.database.inWorkspace(workspace.workspaceId, (tx) =>
    tx('phone_numbers').where({ id }).update({ created_at: '2026-01-01T00:00:00Z' }),
  );
  await text(number, '2026-03-01T04:59:59Z', [9, 'USD']);
  await text(number, '2026-03-01T05:00:00Z', [0.0079, 'USD']);
  await text(number, '2026-03-01T15:00:00Z', [0.0158, 'USD'], 2);
  await text(number, '2026-03-02T15:00:00Z', [0.07, 'EUR']);
  await text(number, '2026-04-01T03:59:59Z', undefined, 3);
  await text(number, '2026-04-01T04:00:00Z', [9, 'USD']);
});

const voice = (date: string, currency: string | null, price: number, calls: number, unbilled = 0) => ({
  date,
  channel: 'phone-voice',
  currency,
  price,
  calls,
  durationSeconds: 60 * calls,
  texts: 0,
  segments: 0,
  unbilled,
});
const sms = (
  date: string,
  currency: string | null,
  {
    texts = 1,
    segments = 1,
    ...sums
  }: { price: number; texts?: number; segments?: number; unbilled?: number },
) => ({
  ...{ date, channel: 'phone-sms', currency, calls: 0, durationSeconds: 0, texts, segments, unbilled: 0 },
  ...sums,
});

describe('what the carrier has charged', () => {
  it('is summed by day, channel and currency, in the time zone of the workspace', async () => {
    const { status, body } = await asAdmin('GET', '/costs?month=2026-03');

    expect(status).toBe(200);
    expect(body.items).toEqual([
      sms('2026-03-01', 'USD', { price: 0.0237, texts: 2, segments: 3 }),
      voice('2026-03-01', 'USD', 0.3, 2),
      sms('2026-03-02', 'EUR', { price: 0.07 }),
      voice('2026-03-02', 'EUR', 0.5, 1),
      voice('2026-03-02', null, 0, 1, 1),
      sms('2026-03-31', null, { price: 0, segments: 3, unbilled: 1 }),
      voice('2026-03-31', 'USD', 0.3, 1),
    ]);
    expect(body.totals).toMatchObject([
      { currency: 'USD', price: 0.6237, calls: 3, texts: 2, segments: 3 },
      { currency: 'EUR', price: 0.57, calls: 1, texts: 1, segments: 1 },
      { currency: null, price: 0, calls: 1, texts: 1, unbilled: 2 },
    ]);
    expect(body).toMatchObject({ month: '2026-03', timezone: 'America/New_York' });
  });

  it('is the same as CSV', async () => {
    const path = workspace.path('/costs/export?month=2026-03');
    const { headers, body } = await api.request('GET', path, { apiKey: workspace.admin.apiKey });

    expect(headers.get('content-type')).toContain('text/csv');
    expect(String(body).trim().split(/\r?\n/)).toEqual([
      'date,channel,currency,price,calls,durationSeconds,texts,segments,unbilled',
      '2026-03-01,phone-sms,USD,0.0237,0,0,2,3,0',
      '2026-03-01,phone-voice,USD,0.3,2,120,0,0,0',
      '2026-03-02,phone-sms,EUR,0.07,0,0,1,1,0',
      '2026-03-02,phone-voice,EUR,0.5,1,60,0,0,0',
      '2026-03-02,phone-voice,,0,1,60,0,0,1',
      '2026-03-31,phone-sms,,0,0,0,1,3,1',
      '2026-03-31,phone-voice,USD,0.3,1,60,0,0,0',
    ]);
  });

  it('says from when to when texts are known', async () => {
    const known = async () => {
      const { textsFrom, textsUntil } = (await asAdmin('GET', '/costs')).body;
      return [textsFrom, textsUntil];
    };
    expect(await known()).toEqual([null, null]);

    const [from, until] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'];
    const { walks } = database.database.identity;
    await walks.saveLooked(pricesOfTexts, { from: new Date(from), until: new Date(until) });

    expect(await known()).toEqual([from, until]);
  });

  it('is nothing in a month without calls and texts, and the current month by default', async () => {
    expect((await asAdmin('GET', '/costs?month=2020-01')).body).toMatchObject({ totals: [], items: [] });
    expect((await asAdmin('GET', '/costs')).body.month).toMatch(/^\d{4}-\d{2}$/);
  });

  it.each(['2026-13', '2026', 'March'])('refuses the month %s', async (month) => {
    expect(pointersOf((await asAdmin('GET', `/costs?month=${month}`)).body)).toEqual(['/month']);
  });
});

describeAccess({ api, workspace, otherWorkspace }, ['costs', 'their CSV'], () =>
  ['/costs', '/costs/export'].map((path) => ({
    method: 'GET',
    path,
    scope: 'workspace:read' as const,
    needsPermission: true,
    namesItem: false,
  })),
);
