import { randomUUID } from 'node:crypto';
import { type CallBridgeRow, insertCallBridge, selectBridgesOfCall } from '../../../db/calls/call-bridges.js';
import { insertPhoneCall, patchPhoneCall } from '../../../db/calls/phone-calls.js';
import type { Tx } from '../../../db/tx.js';
import type { BeginningStream } from '../../../domain/calls/bridges/admit-stream.js';
import { StreamTokens } from '../../../domain/calls/stream-tokens.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { addPhoneNumber } from '../workspace/definitions.js';
import type { TestWorkspace } from '../workspace/factories.js';

/** Of streams in tests. */
export const tokens = new StreamTokens(['secret of streams '.repeat(2)]);

/** A call that the carrier has answered, whose stream has not begun. */
export interface AnsweredCall {
  chatId: number;
  callId: number;
  callUuid: string;
  carrierCallId: string;
  /** What the carrier says as the stream of an attempt begins. */
  start(attempt?: number, changes?: Partial<BeginningStream>): BeginningStream;
  /** The handler has answered again: the next stream belongs to the next attempt. */
  nextAttempt(): Promise<number>;
  bridges(): Promise<CallBridgeRow[]>;
  /** The call has ended. */
  finish(at?: Date): Promise<void>;
}

export async function answeredCall(
  workspace: TestWorkspace,
  { chatId: given }: { chatId?: number } = {},
): Promise<AnsweredCall> {
  const { database, workspaceId, workspaceUuid } = workspace;
  const inside = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.inWorkspace(workspaceId, work);
  const { memberId } = workspace.member;
  const chatId = given ?? (await createChat(workspace.context(), { channel: 'web-chat', memberId })).id;
  const { id: phoneNumberId } = await addPhoneNumber(workspace);
  const carrierCallId = `CA${randomUUID().replaceAll('-', '')}`;
  const call = await inside((tx) => {
    const now = new Date();
    return insertPhoneCall(tx, {
      chatId,
      memberId,
      phoneNumberId,
      inbound: false,
      begunBy: 'api',
      remoteNumber: '+12025550142',
      carrierCallId,
      status: 'in-progress',
      startedAt: now,
      recordingNotice: [{ text: 'This call is recorded.', language: 'en-US' }],
      recordingConsent: 'told',
      createdAt: now,
      updatedAt: now,
    });
  });
  const { id: callId, uuid: callUuid } = call;
  let attempts = 0;
  const nextAttempt = async () => {
    attempts += 1;
    await inside((tx) => insertCallBridge(tx, { callId, attempt: attempts, createdAt: new Date() }));
    return attempts;
  };
  await nextAttempt();
  return {
    chatId,
    callId,
    callUuid,
    carrierCallId,
    start(attempt = attempts, changes = {}) {
      const token = tokens.make({ workspaceUuid, callUuid, attempt });
      const parameters = { workspace: workspaceUuid, call: callUuid, token };
      return { streamId: `MZ${callId}-${attempt}`, carrierCallId, parameters, ...changes };
    },
    nextAttempt,
    bridges: () => inside((tx) => selectBridgesOfCall(tx, callId)),
    async finish(at = new Date()) {
      await inside((tx) =>
        patchPhoneCall(tx, callId, { status: 'completed', finishedAt: at, updatedAt: at }),
      );
    },
  };
}
