import type { RealtimeToolCall } from '../../providers/realtime/realtime.js';
import type { Agenda } from './agenda.js';
import type { ModelSessions } from './model-sessions.js';
import type { ToolAnswers } from './ports.js';
import type { EndedResponse } from './responses.js';
import { interruptedOutput, resultNote } from './words.js';
import type { Work } from './work.js';

export interface ToolCallsOptions {
  agenda: Agenda;
  model: ModelSessions;
  work: Pick<Work, 'runTools'>;
}

/** The tools that the model calls: those of one response at a time. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  #running: { responseId: string; calls: readonly RealtimeToolCall[]; session: number } | undefined;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /**
   * Runs those of a response, or refuses them, because it was interrupted or others run.
   * @returns whether they are run
   */
  begin({ responseId, calls, brokenCallIds, hadSound }: EndedResponse, isDone: boolean): boolean {
    const { agenda, model, work } = this.#options;
    for (const callId of brokenCallIds) model.current?.addToolOutput(callId, interruptedOutput);
    if (!isDone || this.#running !== undefined || calls.length === 0 || responseId === undefined) {
      for (const { callId } of calls) model.current?.addToolOutput(callId, interruptedOutput);
      return false;
    }
    this.#running = { responseId, calls, session: model.number };
    agenda.toolsBegin(hadSound);
    work.runTools(responseId, calls);
    return true;
  }

  /** Each call gets an output, in the session that made it; a later session is told the result. */
  done(responseId: string, { outputs, news }: ToolAnswers): void {
    const tools = this.#running;
    if (tools?.responseId !== responseId) return;
    const { agenda, model } = this.#options;
    this.#running = undefined;
    for (const { callId, output } of outputs) {
      if (tools.session === model.number) model.current?.addToolOutput(callId, output);
      else {
        const name = tools.calls.find((call) => call.callId === callId)?.name ?? 'a tool';
        model.note(resultNote(name, output));
      }
    }
    agenda.toolsEnd(news);
  }
}
