import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../../domain/lib/errors.js';
import { createDeafLiveChats } from '../../../support/api/live.js';
import { noDatabase } from '../../../support/db/no-database.js';

describe('lookUntil', () => {
  it('lets so many of a member wait at once, and others when they have ended', async () => {
    const live = createDeafLiveChats(noDatabase);
    let finish = (_seen: boolean) => {};
    const seen = new Promise<boolean>((resolve) => {
      finish = resolve;
    });
    const look = (chatId: number, memberId = 1) =>
      live.checkUntil({ workspaceId: 1, chatId }, memberId, () => seen);
    const waiting = Array.from({ length: 20 }, (_, index) => look(index));
    await expect(look(21)).rejects.toBeInstanceOf(Unavailable);
    const other = look(22, 2);
    finish(true);
    await Promise.all([...waiting, other]);
    await look(23);
  });

  it('ends when the process does', async () => {
    const live = createDeafLiveChats(noDatabase);
    await live.close();
    let looks = 0;
    await live.checkUntil({ workspaceId: 1, chatId: 1 }, 1, async () => {
      looks += 1;
      return false;
    });
    expect(looks).toBe(1);
  });
});
