import { randomUUID } from 'node:crypto';
import {
  type Asked,
  type PreparedRound,
  prepareRound,
  type RoundRef,
} from '../../../domain/agent/prepare-round.js';
import { type ModelAnswer, recordAnswer } from '../../../domain/agent/store-model-answer.js';
import { runTool } from '../../../domain/agent/tool-calls/run-tool.js';
import type { RoundResult } from '../../../workflows/contracts/steps.js';
import type { FreeChat } from '../../support/chats/free-chat.js';
import type { StagedAssignment } from '../../support/chats/staged-assignment.js';

type Staged = StagedAssignment | FreeChat;

export const usage = { promptTokens: 100, completionTokens: 20, cachedTokens: 0, totalTokens: 120 };

export const reply = (content: string | null): ModelAnswer => ({
  content,
  toolCalls: [],
  usage,
});

export const call = (...calls: [name: string, input: object][]): ModelAnswer => ({
  ...reply(null),
  toolCalls: calls.map(([name, input], index) => ({
    id: `theirs_${index}`,
    name,
    arguments: JSON.stringify(input),
  })),
});

/** One turn of the agent in a chat, whose answers the test gives in the model's place. */
export class Turn {
  readonly #staged: Staged;
  readonly #turnUuid = randomUUID();
  #round = 0;

  constructor(staged: Staged) {
    this.#staged = staged;
  }

  /** The round that was prepared last. */
  get ref(): RoundRef {
    const { workspaceId, chatId, assignmentId } = this.#staged;
    const place = { workspaceId, chatId, ...(assignmentId === undefined ? {} : { assignmentId }) };
    return { ...place, turnUuid: this.#turnUuid, round: this.#round, mustAnswer: false };
  }

  async prepare(): Promise<PreparedRound> {
    this.#round += 1;
    return prepareRound(this.#staged.context, this.ref);
  }

  /** `prepare`, where the model is asked. */
  async ask(): Promise<Asked> {
    const prepared = await this.prepare();
    if (prepared.kind !== 'ask') throw new Error(`the model is not asked: ${prepared.kind}`);
    return prepared;
  }

  /** Asks for the round that was prepared last once more, as another attempt of its activity does. */
  async askAgain(): Promise<Asked> {
    const prepared = await prepareRound(this.#staged.context, this.ref);
    if (prepared.kind !== 'ask') throw new Error(`the model is not asked: ${prepared.kind}`);
    return prepared;
  }

  record(asked: Asked, answer: ModelAnswer): Promise<RoundResult> {
    return recordAnswer(this.#staged.context, this.ref, asked, answer);
  }

  /** A whole round: asks, and the model answers so. */
  async take(answer: ModelAnswer): Promise<RoundResult> {
    return this.record(await this.ask(), answer);
  }

  /** A round in which the model calls tools, which are run. */
  async run(answer: ModelAnswer): Promise<{ toolCallIds: string[]; endsTurn: boolean }> {
    const result = await this.take(answer);
    if (result.kind !== 'tools') throw new Error(`no tools are called: ${result.kind}`);
    let endsTurn = false;
    for (const toolCallId of result.toolCallIds) {
      endsTurn = (await runToolCall(this.#staged, toolCallId)).endsTurn || endsTurn;
    }
    return { toolCallIds: result.toolCallIds, endsTurn };
  }
}

export function runToolCall(staged: Staged, toolCallId: string): Promise<{ endsTurn: boolean }> {
  const { context, workspaceId, chatId } = staged;
  return runTool(context, { workspaceId, chatId, toolCallId }, () => {
    throw new Error('no request is expected');
  });
}

/** What a tool call came to, as the model is told. */
export async function toolResult(staged: Staged, toolCallId: string): Promise<unknown> {
  const found = (await staged.messages()).find(
    (message) => message.role === 'tool' && message.toolCallId === toolCallId,
  );
  return found === undefined ? undefined : JSON.parse(String(found.content));
}
