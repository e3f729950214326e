import { findOpenCall, findPhoneCall, type PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { type MessageRow, selectRecentHistory } from '../../../db/conversations/messages.js';
import type { Call } from '../../../tools/simulators/carrier/calls/call-store.js';
import type { Plan } from '../../../tools/simulators/carrier/calls/plan.js';
import { waitFor } from '../lib/wait-for.js';
import type { SmsWorkspace, Texter } from '../system/sms-workspace.js';
import type { TestSystem } from '../system/system.js';

/** Where many calls are up at once, each of them takes longer. */
const endedWithinMs = 90_000;

/** A call of a started system, from its request to its end. */
export interface CarriedCall {
  texter: Texter;
  chatId: number;
  callId: number;
  row(): Promise<PhoneCallRow>;
  /** The messages of the call, oldest first. */
  said(): Promise<MessageRow[]>;
  /** The row once it is final. */
  ended(): Promise<PhoneCallRow>;
  /** The latest call of the handset at the carrier. */
  atCarrier(): Promise<Call>;
  /** The same, once the carrier has ended it. */
  endedAtCarrier(): Promise<Call>;
}

/** A call that is there already. */
export function carriedCall(
  system: TestSystem,
  workspace: SmsWorkspace,
  { texter, chatId, callId }: Pick<CarriedCall, 'texter' | 'chatId' | 'callId'>,
): CarriedCall {
  const inWorkspace: typeof system.database.inWorkspace = (_, work) =>
    system.database.inWorkspace(workspace.workspaceId, work);
  const { workspaceId } = workspace;
  const row = async (): Promise<PhoneCallRow> => {
    const found = await inWorkspace(workspaceId, (tx) => findPhoneCall(tx, callId));
    if (found === undefined) throw new Error('the call is gone');
    return found;
  };
  const atCarrier = async (): Promise<Call> => {
    const latest = (await system.carrier.calls.of(texter.phone)).at(-1);
    if (latest === undefined) throw new Error('the carrier has no call');
    return latest;
  };
  return {
    texter,
    chatId,
    callId,
    row,
    async said() {
      const history = await inWorkspace(workspaceId, (tx) => selectRecentHistory(tx, chatId, 200));
      return history.filter((message) => message.callId === callId);
    },
    ended: () =>
      waitFor(
        'the call has ended',
        async () => {
          const current = await row();
          return current.finishedAt !== null && current;
        },
        endedWithinMs,
      ),
    atCarrier,
    endedAtCarrier: () =>
      waitFor('the carrier has ended the call', async () => {
        const call = await atCarrier();
        return call.endedAt !== null && call;
      }),
  };
}

/** Calls a member by a chat of the workflow. `plan` is how its phone takes the call. */
export async function dialMember(
  system: TestSystem,
  workspace: SmsWorkspace,
  {
    plan,
    workflowId,
    phoneNumberId,
    texter,
  }: { plan: Plan; workflowId: number; phoneNumberId: number; texter?: Texter },
): Promise<CarriedCall> {
  const called = texter ?? (await workspace.addTexter());
  await system.carrier.calls.plan(called.phone, plan);
  const { status, body } = await workspace.asAdmin('POST', '/chats', {
    channel: 'phone-voice',
    workflowId,
    memberId: called.memberId,
    phoneNumberId,
  });
  if (status !== 201) throw new Error(`the chat was answered ${status}: ${JSON.stringify(body)}`);
  const chatId = Number(body.id);
  const open = await system.database.inWorkspace(workspace.workspaceId, (tx) => findOpenCall(tx, chatId));
  if (open === undefined) throw new Error('there is no call');
  return carriedCall(system, workspace, { texter: called, chatId, callId: open.id });
}
