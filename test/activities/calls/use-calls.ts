import { beforeEach } from 'vitest';
import type { CallPrices } from '../../../domain/calls/call-prices.js';
import { type ScriptedCalls, stageCall } from '../../support/calls/staged-call.js';
import { type FreeChat, stageFreeChat } from '../../support/chats/free-chat.js';
import { later } from '../../support/lib/later.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { addMember, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A member with a chat for each test, and calls in it that are answered by a script. */
export function useCalls() {
  const stage = useWorkspace({ storesEvents: true });
  let clock: MovedClock;
  let member: TestMember;
  let chat: FreeChat;
  beforeEach(async () => {
    clock = new MovedClock();
    member = await addMember(stage.workspace, { role: stage.workspace.roles.member });
    chat = await stageFreeChat(stage.workspace, { member });
  });
  const place = (calls?: ScriptedCalls, prices?: CallPrices) =>
    stageCall(stage.workspace, clock, chat.chatId, calls, prices);
  const at = (ms: number) => clock.now().getTime() + ms;
  /** A call that is answered. */
  async function answeredCall(calls?: ScriptedCalls, prices?: CallPrices) {
    const call = await place(calls, prices);
    await call.advance();
    await call.reports({ status: 'in-progress' });
    return call;
  }
  return {
    stage,
    clock: later(() => clock),
    member: later(() => member),
    chat: later(() => chat),
    place,
    at,
    answeredCall,
  };
}
