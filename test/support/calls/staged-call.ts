import { MockActivityEnvironment } from '@temporalio/testing';
import { callActivities } from '../../../activities/calls/calls.js';
import {
  type CallBridgeRow,
  findLatestBridge,
  insertCallBridge,
  patchCallBridge,
} from '../../../db/calls/call-bridges.js';
import { findPhoneCall, type PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { lockChat } from '../../../db/conversations/chats.js';
import { insertMessage } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import type { CallPrices } from '../../../domain/calls/call-prices.js';
import { type LockedCall, lockCall } from '../../../domain/calls/lock-call.js';
import { type CallNews, recordCallNews } from '../../../domain/calls/record-call-news.js';
import { requestCall } from '../../../domain/calls/request-call.js';
import type { CarrierCall, CarrierCalls, OutgoingCall } from '../../../providers/carrier/carrier-calls.js';
import type { CallStep } from '../../../workflows/contracts/steps.js';
import type { MovedClock } from '../lib/moved-clock.js';
import { addPhoneNumber } from '../workspace/definitions.js';
import type { TestWorkspace } from '../workspace/factories.js';

/** A carrier in memory: what each request answers, and what was asked for. */
export class ScriptedCalls implements CarrierCalls {
  readonly created: OutgoingCall[] = [];
  readonly ended: string[] = [];
  readonly redirected: string[] = [];
  /** What the next requests answer, or throw. */
  answers: { [Name in keyof CarrierCalls]?: () => CarrierCall | undefined } = {};
  #made = 0;

  async create(call: OutgoingCall): Promise<CarrierCall> {
    this.created.push(call);
    this.#made += 1;
    const carrierCallId = `CA${String(this.#made).padStart(8, '0')}${Math.random().toString(16).slice(2, 10)}`;
    return this.answers.create?.() ?? { carrierCallId, status: 'queued' };
  }

  async find(): Promise<CarrierCall | undefined> {
    return this.answers.find?.();
  }

  async status(carrierCallId: string): Promise<CarrierCall | undefined> {
    return this.answers.status === undefined
      ? { carrierCallId, status: 'in-progress' }
      : this.answers.status();
  }

  async end(carrierCallId: string): Promise<CarrierCall | undefined> {
    this.ended.push(carrierCallId);
    return this.answers.end === undefined ? { carrierCallId, status: 'completed' } : this.answers.end();
  }

  async redirect(carrierCallId: string): Promise<CarrierCall | undefined> {
    this.redirected.push(carrierCallId);
    return this.answers.redirect?.() ?? { carrierCallId, status: 'in-progress' };
  }
}

export interface StagedCall {
  callId: number;
  chatId: number;
  calls: ScriptedCalls;
  /** The activity that the run executes. */
  advance(): Promise<CallStep>;
  row(): Promise<PhoneCallRow>;
  /** What the carrier reports. */
  reports(news: Partial<CallNews> & { status: string }): Promise<void>;
  /** With the call and its chat locked. */
  inCall<Result>(work: (tx: Tx, locked: LockedCall) => Promise<Result>): Promise<Result>;
  /** Stores what the caller has said. */
  says(content: string, itemId?: string): Promise<unknown>;
  /** What the processes that hold calls were told of; `onCommanded` is what they do then. */
  commanded: string[];
  onCommanded: () => void | Promise<void>;
  /** The newest stream. */
  latestBridge(): Promise<CallBridgeRow | undefined>;
  /** A stream that a process holds, or has held. */
  bridge(changes: Partial<CallBridgeRow>): Promise<void>;
}

/** Asks for a call in a chat, without a run. */
export async function stageCall(
  workspace: TestWorkspace,
  clock: MovedClock,
  chatId: number,
  calls = new ScriptedCalls(),
  callPrices?: CallPrices,
): Promise<StagedCall> {
  const { database, workspaceId } = workspace;
  const inWorkspace = <Result>(work: (tx: Tx) => Promise<Result>) => database.inWorkspace(workspaceId, work);
  const number = await addPhoneNumber(workspace, { voiceEnabled: true });
  const callId = await inWorkspace(async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new Error('the chat of the call is gone');
    const asked = await requestCall(tx, {
      chat,
      from: { id: number.id },
      begunBy: 'api',
      now: clock.now(),
    });
    if ('refused' in asked) throw new Error(asked.refused);
    return asked.call.id;
  });
  const publicUrl = 'https://service.example.com';
  const commanded: string[] = [];
  const bridges = {
    commanded(processId: string) {
      commanded.push(processId);
      void staged.onCommanded();
    },
  };
  const dependencies = { db: database, clock, carrier: { calls } as never, bridges, publicUrl, callPrices };
  const { advanceCall } = callActivities(dependencies);
  const row = async () => {
    const found = await inWorkspace((tx) => findPhoneCall(tx, callId));
    if (found === undefined) throw new Error('the call is gone');
    return found;
  };
  const inCall: StagedCall['inCall'] = (work) =>
    inWorkspace(async (tx) => {
      const locked = await lockCall(tx, { callId });
      if (locked === undefined) throw new Error('the call is gone');
      return work(tx, locked);
    });
  let attempts = 0;
  const staged: StagedCall = {
    callId,
    chatId,
    calls,
    commanded,
    onCommanded: () => undefined,
    latestBridge: () => inWorkspace((tx) => findLatestBridge(tx, callId)),
    row,
    inCall,
    says: (content, callItemId = content) =>
      inCall((tx) =>
        insertMessage(tx, { chatId, role: 'user', author: 'member', content, callId, callItemId }),
      ),
    advance: () => new MockActivityEnvironment().run(advanceCall, { workspaceId, callId }),
    async reports(news) {
      const carrierCallId = news.carrierCallId ?? (await row()).carrierCallId ?? 'CA00';
      await inCall((tx, locked) =>
        recordCallNews(tx, locked, { learntBy: 'callback', ...news, carrierCallId }, clock.now()),
      );
    },
    async bridge(changes) {
      attempts += 1;
      const attempt = attempts;
      await inWorkspace(async (tx) => {
        const { id } = await insertCallBridge(tx, { callId, attempt, createdAt: clock.now() });
        await patchCallBridge(tx, id, { beganAt: clock.now(), heartbeatAt: clock.now(), ...changes });
      });
    },
  };
  return staged;
}
