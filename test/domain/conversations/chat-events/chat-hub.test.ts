import { expect, it } from 'vitest';
import type { Database } from '../../../../db/database.js';
import type { LiveListener } from '../../../../db/live/live-listener.js';
import { ChatHub } from '../../../../domain/conversations/chat-events/chat-hub.js';
import { waitFor } from '../../../support/lib/wait-for.js';

const place = { workspaceId: 1, chatId: 1 };

/** A hub that makes one read at a time. Each read waits until the test releases it, and finds no chat. */
function hubWithHeldReads() {
  const held: (() => void)[] = [];
  const readInWorkspace = () => new Promise<undefined>((resolve) => held.push(() => resolve(undefined)));
  const db = { readInWorkspace } as unknown as Database;
  const hub = new ChatHub({ db, listener: {} as LiveListener, readsAtOnce: 1 });
  const letNextGo = async () => {
    await waitFor('a read is held', () => held.length === 1);
    held.shift()?.();
  };
  return { hub, held, letNextGo };
}

it('ChatHub shares one read among followers that wait to read after the same revision', async () => {
  const { hub, held, letNextGo } = hubWithHeldReads();
  const reads = [5, 5, 5, 5].map((after) => hub.read(place, after));

  await letNextGo();
  await letNextGo();
  await Promise.all(reads);

  expect(held).toEqual([]);
});

it('ChatHub does not share a read that has begun, nor one after another revision', async () => {
  const { hub, letNextGo } = hubWithHeldReads();
  const begun = hub.read(place, 5);
  const later = hub.read(place, 5);
  const other = hub.read(place, 6);

  expect(later).not.toBe(begun);
  expect(other).not.toBe(later);

  await letNextGo();
  await begun;
  await letNextGo();
  await later;
  const again = hub.read(place, 5);
  await letNextGo();
  await other;
  await letNextGo();
  await again;
});
