import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { recordDeliveryNews } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import type { DeliveryNews } from '../../../../domain/channels/deliveries/settle-delivery.js';
import { awaitInitialMessage } from '../../../../domain/conversations/chats/await-initial-message.js';
import { createDeafLiveChats } from '../../../support/api/live.js';
import { type LiveApi, startLiveApi } from '../../../support/api/live-api.js';
import { connect } from '../../../support/db/connect.js';
import { whenWaiting } from '../../../support/db/locks.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();
const patienceMs = 40_000;
/** Its answers wait so long that what is seen sooner was not waited for. */
let api: LiveApi;
let hastyApi: LiveApi;
let phoneNumberId: number;

beforeAll(async () => {
  // The slow poll finds changes without a notification; it must not help these tests.
  const hub = { checkEveryMs: 600_000 };
  api = await startLiveApi(database, { live: { hub, forMs: patienceMs } });
  hastyApi = await startLiveApi(database, { live: { hub, forMs: 500 } });
});
afterAll(async () => {
  await api.close();
  await hastyApi.close();
});
beforeEach(async () => {
  phoneNumberId = (await addPhoneNumber(workspace)).id;
});

const write = (initialMessage?: string, { key = randomUUID() as string, on = api } = {}) =>
  on.request('POST', workspace.path('/chats'), {
    apiKey: workspace.admin.apiKey,
    headers: { 'idempotency-key': key },
    body: {
      channel: 'phone-sms',
      memberId: workspace.member.memberId,
      phoneNumberId,
      assistantEnabled: false,
      ...(initialMessage === undefined ? {} : { initialMessage }),
    },
  });
const select = <Row>(text: string, values: unknown[]): Promise<Row[]> =>
  workspace.within(async (tx) => (await tx.raw(text, values as string[])).rows);
/** What the worker does once it is told: it settles the delivery of the newest chat of the number. */
const settle = async (news: Omit<DeliveryNews, 'learntBy'>) => {
  const found = await waitFor('a delivery is queued', async () => {
    const [row] = await select<{ id: number }>(
      `select d.id from deliveries d join chats c on c.id = d.chat_id
       where c.phone_number_id = ? and d.state = 'queued'`,
      [phoneNumberId],
    );
    return row;
  });
  const ref = { workspaceId: workspace.workspaceId, deliveryId: Number(found.id) };
  const context = { db: api.database, clock: { now: () => new Date() } };
  await claimDelivery(context, ref, randomUUID());
  await recordDeliveryNews(context, ref, 1, news);
};
const refused = { state: 'failed', errorCode: '21614' } as const;
const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const began = performance.now();
  return [await work, performance.now() - began];
};

describe('the answer to POST chats with an initial message', () => {
  it('has the reason for which the carrier refuses it', async () => {
    const [[answer, ms]] = await Promise.all([timed(write('Good morning')), settle(refused)]);
    expect(answer).toMatchObject({ status: 201, body: { initialMessageError: 'not_a_mobile_number' } });
    expect(ms).toBeLessThan(patienceMs);
  });

  it('has the reason that is stored between two of its reads', async () => {
    const { body: chat } = await write('Good morning', { on: hastyApi });
    const client = await connect(database.superuserUrl);
    try {
      await client.query('begin');
      await client.query('lock table deliveries in access exclusive mode');
      const context = workspace.context();
      const reason = awaitInitialMessage(context, createDeafLiveChats(database.database), Number(chat.id));
      await whenWaiting(workspace, 1);
      await client.query(`update deliveries set state = 'failed' where chat_id = $1`, [chat.id]);
      await client.query(`update chats set initial_message_error = 'unreachable' where id = $1`, [chat.id]);
      await client.query('commit');
      expect(await reason).toBe('unreachable');
    } finally {
      await client.end();
    }
  });

  it('has the reason that is known while another part is being sent', async () => {
    const { body: chat } = await write('Good morning', { on: hastyApi });
    await select(`update chats set initial_message_error = 'unreachable' where id = ? returning id`, [
      chat.id,
    ]);
    const live = createDeafLiveChats(database.database);
    expect(await awaitInitialMessage(workspace.context(), live, Number(chat.id))).toBe('unreachable');
  });

  it('comes as soon as the carrier has taken it', async () => {
    const [[answer, ms]] = await Promise.all([
      timed(write('Good morning')),
      settle({ state: 'sent', carrierMessageId: 'SM1' }),
    ]);
    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty('initialMessageError');
    expect(ms).toBeLessThan(patienceMs);
  });

  it('has it with an Idempotency-Key, and a repetition that comes later has it too', async () => {
    const key = randomUUID();
    const [answer] = await Promise.all([write('Good morning', { key }), settle(refused)]);
    expect(answer.body.initialMessageError).toBe('not_a_mobile_number');
    const again = await write('Good morning', { key });
    expect(again).toMatchObject({ status: 201, body: { id: answer.body.id } });
    expect(again.body.initialMessageError).toBe('not_a_mobile_number');
  });

  it('comes without it if nobody sends in time, and a repetition does not wait for the first', async () => {
    const key = randomUUID();
    const [first, second] = await Promise.all([
      write('Good morning', { key, on: hastyApi }),
      waitFor('the chat is committed', async () => {
        const chats = await select('select 1 from chats where phone_number_id = ?', [phoneNumberId]);
        return chats.length > 0;
      }).then(() => write('Good morning', { key, on: hastyApi })),
    ]);
    expect(first.status).toBe(201);
    expect(first.body).not.toHaveProperty('initialMessageError');
    expect(second).toMatchObject({ status: 201, body: { id: first.body.id } });
  });

  it('does not wait for what is to be sent later', async () => {
    const [[answer, ms]] = await Promise.all([
      timed(write('Good morning')),
      waitFor('a delivery waits for its slot', async () => {
        const changed = await select<{ id: number }>(
          `update deliveries d set not_before = now() + interval '1 hour' from chats c
           where c.id = d.chat_id and c.phone_number_id = ? returning d.id`,
          [phoneNumberId],
        );
        return changed.length > 0;
      }),
    ]);
    expect(answer.status).toBe(201);
    expect(ms).toBeLessThan(patienceMs);
  });

  it('waits for nothing without one', async () => {
    const [answer, ms] = await timed(write());
    expect(answer.status).toBe(201);
    expect(ms).toBeLessThan(patienceMs / 4);
  });
});
