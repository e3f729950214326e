import { describe, expect, it } from 'vitest';
import type { Tx } from '../../db/database.js';
import { insertEventRule } from '../../db/queries/event-rules.js';
import { deleteUnusedEndpoints } from '../../db/queries/forget-events.js';
import { webhookEndpointAt } from '../../db/queries/webhook-endpoints.js';
import { randomTag } from '../support/factories.js';
import { whenWaitedFor } from '../support/locks.js';
import { useWorkspace } from '../support/use-workspace.js';

const suite = useWorkspace();
const now = new Date('2026-03-01T12:00:00Z');
const newUrl = () => `https://receiver.example.com/${randomTag()}`;

const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);

const addRule = (tx: Tx, webhookEndpointId: number) =>
  insertEventRule(tx, {
    name: 'Chats',
    eventType: 'chat:created',
    actionType: 'webhook:send',
    webhookEndpointId,
    createdByMemberId: null,
    createdAt: now,
  });

describe('a receiver', () => {
  it('is one for each URL, however many name it at once', async () => {
    const url = newUrl();
    const ids = await Promise.all(
      Array.from({ length: 50 }, () => within((tx) => webhookEndpointAt(tx, url, now))),
    );
    expect(new Set(ids).size).toBe(1);
  });

  it('is not deleted between being found and being named by a rule', async () => {
    const url = newUrl();
    const id = await within((tx) => webhookEndpointAt(tx, url, now));
    await within(async (tx) => {
      expect(await webhookEndpointAt(tx, url, now)).toBe(id);
      await within((other) => deleteUnusedEndpoints(other, 100));
      await addRule(tx, id);
    });
  });

  it('is made anew where it is deleted while somebody looks for it', async () => {
    const url = newUrl();
    const id = await within((tx) => webhookEndpointAt(tx, url, now));
    let adding: Promise<unknown> = Promise.resolve();
    await within(async (tx) => {
      expect(await deleteUnusedEndpoints(tx, 100)).toBeGreaterThan(0);
      adding = within(async (other) => addRule(other, await webhookEndpointAt(other, url, now)));
      await whenWaitedFor(tx);
    });
    expect(await adding).toMatchObject({ webhookEndpointId: expect.any(Number) });
    expect(await within((tx) => webhookEndpointAt(tx, url, now))).not.toBe(id);
  });
});
