import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { lockPhoneCall } from '../../../../db/calls/phone-calls.js';
import { type AdmittedStream, admitStream } from '../../../../domain/calls/bridges/admit-stream.js';
import { commandBridge } from '../../../../domain/calls/bridges/command-bridge.js';
import { acknowledgeCommand, endLease, renewLeases } from '../../../../domain/calls/bridges/lease.js';
import { answeredCall, tokens } from '../../../support/calls/answered-call.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

async function held() {
  const clock = new MovedClock();
  const context = { db: workspace.database, clock };
  const processId = randomUUID();
  const call = await answeredCall(workspace);
  const stream = (await admitStream(context, call.start(), {
    tokens,
    processId,
    callsPerWorkspace: 1_000,
  })) as AdmittedStream;
  const command = (what: 'hang_up' | 'transfer' = 'hang_up') =>
    workspace.within(async (tx) => {
      await lockPhoneCall(tx, call.callId);
      return commandBridge(tx, call.callId, what, clock.now());
    });
  const renew = () => renewLeases(context, workspace.workspaceId, processId);
  const acknowledge = () => acknowledgeCommand(context, workspace.workspaceId, stream.bridgeId);
  return { clock, context, call, stream, command, renew, acknowledge, processId };
}

it('reaches the process with its next renewal, until it is acknowledged', async () => {
  const { stream, command, renew, acknowledge, processId } = await held();
  const { bridgeId } = stream;
  await acknowledge();
  expect(await renew()).toEqual([{ bridgeId, command: null }]);
  expect(await command()).toEqual({ processId, fate: 'unheard' });
  expect(await renew()).toEqual([{ bridgeId, command: 'hang_up' }]);
  await acknowledge();
  await acknowledge();
  expect(await renew()).toEqual([{ bridgeId, command: null }]);
  expect(await command()).toEqual({ processId, fate: 'acknowledged' });
});

it('is lost after two seconds without an acknowledgement, and where another was given before', async () => {
  const { clock, command, renew } = await held();
  expect(await command()).toMatchObject({ fate: 'unheard' });
  expect(await command('transfer')).toMatchObject({ fate: 'lost' });
  expect(await renew()).toMatchObject([{ command: 'hang_up' }]);
  clock.advance(1_999);
  expect(await command()).toMatchObject({ fate: 'unheard' });
  clock.advance(1);
  expect(await command()).toMatchObject({ fate: 'lost' });
});

it('is lost at once where the lease has run out', async () => {
  const { clock, command } = await held();
  clock.advance(15_001);
  expect(await command()).toMatchObject({ fate: 'lost' });
});

it('has no one to go to before the stream, after it, and before the next one', async () => {
  const { call, context, stream, command } = await held();
  await endLease(context, stream, 'caller_left');
  expect(await command()).toBeUndefined();
  await call.nextAttempt();
  expect(await command()).toBeUndefined();
});
