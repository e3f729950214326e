import { randomUUID } from 'node:crypto';
import { findToolCallMessage, findToolResult } from '../../db/conversations/messages.js';
import { maxRounds } from '../../workflows/contracts/steps.js';
import { abandonTurn } from '../agent/abandon-turn.js';
import { type Asked, prepareRound } from '../agent/prepare-round.js';
import { recordAnswer } from '../agent/store-model-answer.js';
import type { CallAnswer } from '../agent/tool-calls/call-answer.js';
import type { ToolContext } from '../agent/tool-calls/call-place.js';
import { runTool } from '../agent/tool-calls/run-tool.js';
import type { ClaimedCall } from '../agent/tools/tool.js';
import { messageText } from '../channels/message-text.js';
import type { ModelsContext } from '../kernel/context.js';
import type { Happening } from './entries.js';
import type { SimulatedAnswer } from './model.js';
import type { ServiceAnswer } from './script.js';

export interface TurnPlace {
  workspaceId: number;
  chatId: number;
  assignmentId: number;
}

/** The result of a call that waits for approval, until it has one. */
const waiting = '{"ok":false,"error":"approval_pending"}';

interface OpenTurn {
  turnUuid: string;
  round: number;
  chatVersion: number;
}

/** What a turn tells the walk, and what it asks of it. */
export interface TurnCallbacks {
  /** What a web service answers to the tool of this name. */
  service(tool: string): ServiceAnswer | undefined;
  /** The next answer; undefined if the script has none now. */
  answer(asked: Asked): Promise<SimulatedAnswer | undefined>;
  /** A tool was called; its effects are in the database. */
  called(call: Extract<Happening, { kind: 'tool' }>): Promise<void>;
  /** An answer was stored. */
  answered(): Promise<void>;
}

/** The turns of the agent in a walk, as `workflows/agent-turn.ts` takes them. */
export class Turns {
  readonly #context: ModelsContext & ToolContext;
  readonly #place: TurnPlace;
  readonly #callbacks: TurnCallbacks;
  /** A turn whose next answer the script has not given yet. */
  #open: OpenTurn | undefined;

  constructor(context: ModelsContext & ToolContext, place: TurnPlace, callbacks: TurnCallbacks) {
    this.#context = context;
    this.#place = place;
    this.#callbacks = callbacks;
  }

  /** Takes the turn that is due, as far as there are answers. @returns whether it came to its end */
  async take(chatVersion: number): Promise<boolean> {
    const turn = this.#open ?? { turnUuid: randomUUID(), round: 1, chatVersion };
    this.#open = turn;
    while (turn.round <= maxRounds) {
      const outcome = await this.#round(turn);
      if (outcome === 'waits') return false;
      if (outcome === 'ended') {
        this.#open = undefined;
        return true;
      }
      turn.round += 1;
    }
    await this.#abandon(turn, 'turn_failed');
    return true;
  }

  async #round({ turnUuid, round, chatVersion }: OpenTurn): Promise<'waits' | 'ended' | 'goes_on'> {
    const ref = { ...this.#place, turnUuid, round, mustAnswer: round === maxRounds };
    const prepared = await prepareRound(this.#context, ref);
    if (prepared.kind === 'settled') {
      return prepared.result.kind === 'tools' ? this.#run(prepared.result.toolCallIds) : 'ended';
    }
    if (prepared.kind === 'no_model') {
      await this.#abandon({ turnUuid, round, chatVersion }, 'no_model');
      return 'ended';
    }
    const answer = await this.#callbacks.answer(prepared);
    if (answer === undefined) return 'waits';
    const result = await recordAnswer(this.#context, ref, prepared, answer);
    await this.#callbacks.answered();
    if (result.kind === 'interrupted') return 'goes_on';
    return result.kind === 'tools' ? this.#run(result.toolCallIds) : 'ended';
  }

  async #run(toolCallIds: readonly string[]): Promise<'ended' | 'goes_on'> {
    let endsTurn = false;
    for (const toolCallId of toolCallIds) {
      const { workspaceId, chatId } = this.#place;
      const outcome = await runTool(this.#context, { workspaceId, chatId, toolCallId }, async (claimed) =>
        asAnswer(claimed, this.#callbacks.service(claimed.tool)),
      );
      await this.#callbacks.called(await this.#callOf(toolCallId));
      endsTurn ||= outcome.endsTurn;
    }
    return endsTurn ? 'ended' : 'goes_on';
  }

  async #callOf(toolCallId: string): Promise<Extract<Happening, { kind: 'tool' }>> {
    const { workspaceId, chatId } = this.#place;
    return this.#context.db.inWorkspace(workspaceId, async (tx) => {
      const result = await findToolResult(tx, chatId, toolCallId);
      const message = await findToolCallMessage(tx, chatId, toolCallId);
      const call = message?.toolCalls.find(({ id }) => id === toolCallId);
      return {
        kind: 'tool',
        tool: call?.function.name ?? '',
        arguments: call?.function.arguments ?? '{}',
        result: messageText(result?.content ?? waiting),
      };
    });
  }

  async #abandon({ chatVersion }: OpenTurn, reason: 'no_model' | 'turn_failed'): Promise<void> {
    const { workspaceId, chatId } = this.#place;
    await abandonTurn(this.#context, { workspaceId, chatId, chatVersion, reason });
    this.#open = undefined;
  }
}

function asAnswer(claimed: ClaimedCall, { status = 200, body }: ServiceAnswer = {}): CallAnswer {
  const text = body === undefined ? '' : JSON.stringify(body);
  if ('remote' in claimed) return { kind: 'called', isError: status >= 400, text, leftOut: 0 };
  return { kind: 'answered', status, contentType: 'application/json', body: text };
}
