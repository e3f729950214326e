import { beforeEach, expect, it } from 'vitest';
import { type StagedCall, stageCall } from '../../support/calls/staged-call.js';
import { stageFreeChat } from '../../support/chats/free-chat.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
let clock: MovedClock;
let call: StagedCall;

beforeEach(async () => {
  const { workspace } = stage;
  clock = new MovedClock();
  const member = await addMember(workspace, { role: workspace.roles.member });
  const { chatId } = await stageFreeChat(workspace, { member });
  call = await stageCall(workspace, clock, chatId);
  await call.advance();
});

it('a call that the carrier has completed was answered, though no report of that came and no stream was asked for', async () => {
  clock.advance(60_000);
  await call.reports({ status: 'completed', durationSeconds: 40 });

  expect(await call.row()).toMatchObject({
    status: 'completed',
    carrierStatus: 'completed',
    terminationReason: null,
    failureDetail: 'never_connected',
    startedAt: new Date(clock.now().getTime() - 40_000),
    durationSeconds: 40,
    // The service has not measured it, and the carrier is asked what it cost.
    measuredSeconds: null,
    billDueAt: expect.any(Date),
  });
});

it.each(['busy', 'no-answer', 'failed', 'canceled', 'completed'])(
  'a call that was %s and has not lasted was not',
  async (status) => {
    clock.advance(60_000);
    await call.reports({ status, durationSeconds: 0 });

    expect(await call.row()).toMatchObject({ status, startedAt: null, billDueAt: null });
  },
);
