import { findToolResult } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';
import { lockCall } from '../../calls/lock-call.js';
import { endOurPart } from '../../calls/record-call-news.js';
import { messageText } from '../../channels/message-text.js';
import type { ModelsContext } from '../../kernel/context.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { type CallUsage, dropModelCall } from '../model-calls.js';
import type { CallAnswer } from '../tool-calls/call-answer.js';
import type { ToolContext } from '../tool-calls/call-place.js';
import { runTool } from '../tool-calls/run-tool.js';
import type { ClaimedCall } from '../tools/tool.js';
import { notAvailable } from '../tools/tool-result.js';
import { optsOut } from '../tools/tools.js';
import { bookAnswer, bookResponse, bookTranscription } from './book-spoken.js';
import { type BridgedCallRef, type LockedBridgedCall, lockBridgedCall } from './bridged-call.js';
import { type CallNews, overNews, readCallNews, type ToldState } from './call-news.js';
import { type CallModels, type CallOpening, openCall } from './call-opening.js';
import type { CallStates } from './call-states.js';
import { type SpokenToolCall, storeToolCalls } from './call-tools.js';
import { enterKeys } from './enter-keys.js';
import { openRelay, prepareSpokenAnswer, type RelayOpening, type SpokenRequest } from './spoken-answer.js';
import { type Heard, recordPlayed, type Said, storeSaid } from './store-utterance.js';

export interface CallBackendContext extends ModelsContext, ToolContext {
  /** Makes the call of a tool that is outside of the service, outside of any transaction. */
  sendRequest: (claimed: ClaimedCall) => Promise<CallAnswer>;
  /** Shared by all calls of the process. */
  callStates: CallStates;
}

const notRun = JSON.stringify(notAvailable);
const pending = JSON.stringify({
  ok: false,
  error: 'approval_pending',
  note: 'A colleague has to approve it, which may take longer than the call.',
});

/** What an attempt to hold a call asks of the domain, and stores. It is bound to one bridge, and remembers what its sessions were told. */
export class CallBackend {
  readonly #context: CallBackendContext;
  readonly #call: BridgedCallRef;
  #told: ToldState = { digest: '', lastMessageId: 0, hadAssignment: false };
  #models: CallModels | undefined;
  /** News are read one after the other, so that none is told twice. */
  #reading: Promise<unknown> = Promise.resolve();
  #seen: string | undefined;
  #lastNews: CallNews = overNews;

  constructor(context: CallBackendContext, call: BridgedCallRef) {
    this.#context = context;
    this.#call = call;
  }

  /** Called for each session. @returns `over` if the attempt or the call is over */
  async open(): Promise<CallOpening | 'over' | 'no_model'> {
    const { models } = this.#context;
    const opened = await this.#telling(async (tx, locked, told, now) => {
      if (locked.call.finishedAt !== null) return 'over';
      return openCall(tx, models, locked, told, now);
    });
    if (opened === undefined || typeof opened === 'string') return opened ?? 'over';
    this.#models = opened.models;
    this.#lastNews = opened.opening.news;
    return opened.opening;
  }

  async store(said: Said): Promise<void> {
    const { lastMessageId } = this.#told;
    await this.#locked((tx, locked, now) =>
      storeSaid(tx, this.#call, locked, { ...said, lastMessageId }, now),
    );
  }

  async played(messageId: number, heard: Heard): Promise<CallNews> {
    const news = await this.#telling(async (tx, locked, told, now) => {
      const chat = await recordPlayed(tx, this.#call, locked, messageId, heard, { ...this.#context, now });
      return readCallNews(tx, { ...locked, chat }, told, now);
    });
    return this.#noted(news);
  }

  /** Each call is run once, and has an output. What an earlier one leads to may overtake those after it. */
  async runTools(
    responseId: string,
    calls: readonly SpokenToolCall[],
  ): Promise<{ outputs: { callId: string; output: string }[]; news: CallNews }> {
    const ran = await this.#locked(async (tx, locked, now) => {
      // Who says so as the last thing before hanging up has opted out as well.
      const isOver = locked.call.finishedAt !== null;
      const run = isOver ? calls.filter(({ name }) => optsOut(name)) : calls;
      if (run.length === 0) return undefined;
      return { run, stored: await storeToolCalls(tx, this.#call, locked, responseId, run, now) };
    });
    const outputs: { callId: string; output: string }[] = [];
    for (const call of calls) {
      const toolCallId = ran?.stored.toolCalls[ran.run.indexOf(call)]?.id;
      const output = toolCallId === undefined ? notRun : await this.#run(toolCallId);
      outputs.push({ callId: call.callId, output });
    }
    return { outputs, news: await this.#news() };
  }

  async #run(toolCallId: string): Promise<string> {
    const { workspaceId, chatId } = this.#call;
    await runTool(this.#context, { workspaceId, chatId, toolCallId }, this.#context.sendRequest);
    const result = await this.#context.db.readInWorkspace(workspaceId, (tx) =>
      findToolResult(tx, chatId, toolCallId),
    );
    return result === undefined ? pending : messageText(result.content);
  }

  /** Stores the value of a field that keys were asked for. */
  async takeKeys(slug: string, digits: string): Promise<{ told: string; news: CallNews }> {
    const told = await this.#locked(async (tx, locked, now) => {
      const defaultRegion = await workspaceRegion(this.#context, tx);
      return enterKeys(tx, locked, { slug, digits }, { ...this.#context, now, defaultRegion });
    });
    return { told: told ?? '', news: await this.#news() };
  }

  /** Nothing is read in full, and no row locked, while nothing has changed and the agent does not stand by. */
  async look(): Promise<CallNews> {
    const seen = await this.#context.callStates.read(this.#call);
    if (seen === undefined || seen !== this.#seen || this.#lastNews.standsBy === true) {
      const news = await this.#news();
      this.#seen = seen;
      return news;
    }
    const { isCurrent, standsBy, keysFor, ending } = this.#lastNews;
    return {
      isCurrent,
      ...(standsBy === undefined ? {} : { standsBy }),
      ...(keysFor === undefined ? {} : { keysFor }),
      ...(ending === undefined ? {} : { ending }),
    };
  }

  async #news(): Promise<CallNews> {
    return this.#noted(await this.#telling(readCallNews));
  }

  #noted(news: CallNews = overNews): CallNews {
    this.#lastNews = news;
    return news;
  }

  async endCall(): Promise<void> {
    await this.#locked((tx, { call }, now) => endOurPart(tx, { call }, 'agent', now));
  }

  /** What a provider has worked for is booked, whichever attempt it was. */
  async bookResponse({
    responseId,
    isEstimated = false,
    ...usage
  }: CallUsage & { responseId: string; isEstimated?: boolean }): Promise<void> {
    const modelId = this.#models?.realtime;
    if (modelId === undefined) return;
    const response = { responseId, modelId, usage, isEstimated };
    await this.#booking((tx, locked, now) =>
      bookResponse(tx, this.#context.models, this.#call, locked, response, now),
    );
  }

  async bookTranscription(itemId: string, usage: { tokens: CallUsage } | { seconds: number }): Promise<void> {
    const modelId = this.#models?.transcription;
    if (modelId === undefined) return;
    const used = 'tokens' in usage ? usage.tokens : usage;
    await this.#booking((tx, locked, now) =>
      bookTranscription(tx, this.#context.models, this.#call, locked, { itemId, modelId, used }, now),
    );
  }

  /** Begins a call by text. @returns undefined if the attempt or the call is over */
  async openRelay(): Promise<RelayOpening | undefined> {
    const opening = await this.#telling(async (tx, locked, told, now) =>
      locked.call.finishedAt === null ? openRelay(tx, locked, told, now) : undefined,
    );
    if (opening !== undefined) this.#lastNews = opening.news;
    return opening;
  }

  /** What a chat model is asked for the agent's next words. @returns undefined if the attempt or the call is over */
  async ask(): Promise<SpokenRequest | 'no_model' | undefined> {
    const { models } = this.#context;
    return this.#telling(async (tx, locked, told, now) =>
      locked.call.finishedAt === null ? prepareSpokenAnswer(tx, models, locked, told, now) : undefined,
    );
  }

  async bookAnswer(bookingId: string, usage: CallUsage): Promise<void> {
    await this.#booking((tx, locked, now) => bookAnswer(tx, locked, { bookingId, usage }, now));
  }

  /** @param characters that came of the answer; undefined: the provider has not worked */
  async bookLostAnswer(bookingId: string, characters: number | undefined): Promise<void> {
    if (characters === undefined) {
      await dropModelCall(this.#context, { workspaceId: this.#call.workspaceId, callId: bookingId });
      return;
    }
    const usage = { lostAfter: characters };
    await this.#booking((tx, locked, now) => bookAnswer(tx, locked, { bookingId, usage }, now));
  }

  async #booking(work: (tx: Tx, locked: LockedBridgedCall, now: Date) => Promise<void>): Promise<void> {
    const { db, clock } = this.#context;
    const { workspaceId, callId } = this.#call;
    await db.inWorkspace(workspaceId, async (tx) => {
      const locked = await lockCall(tx, { callId });
      if (locked?.chat !== undefined) await work(tx, { call: locked.call, chat: locked.chat }, clock.now());
    });
  }

  /** What a session was told is remembered once the transaction has succeeded. */
  #telling<Result>(
    work: (tx: Tx, locked: LockedBridgedCall, told: ToldState, now: Date) => Promise<Result>,
  ): Promise<Result | undefined> {
    const read = this.#reading.then(async () => {
      const told = { ...this.#told };
      const result = await this.#locked((tx, locked, now) => work(tx, locked, told, now));
      this.#told = told;
      return result;
    });
    this.#reading = read.catch(() => undefined);
    return read;
  }

  /** @returns undefined if a later attempt has begun, which writes instead */
  #locked<Result>(
    work: (tx: Tx, locked: LockedBridgedCall, now: Date) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { db, clock } = this.#context;
    return db.inWorkspace(this.#call.workspaceId, async (tx) => {
      const locked = await lockBridgedCall(tx, this.#call);
      return locked && work(tx, locked, clock.now());
    });
  }
}

export function openCallBackend(context: CallBackendContext, call: BridgedCallRef): CallBackend {
  return new CallBackend(context, call);
}
