import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { runAgentTurn } from './agent-turn.js';
import { pokeSignal } from './contracts/messages.js';
import type { ChatRunInput } from './contracts/runs.js';
import { databaseStep } from './database-step.js';
import { delayUntil } from './delay-until.js';

/**
 * Answers a chat that has an assistant and no active assignment: a turn for whatever is new, then, unless a
 * follow-up is due later, the run ends. The next message starts it anew.
 */
export async function answerChat(input: ChatRunInput): Promise<void> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, chatId } = input;

  for (;;) {
    woken = false;
    const step = await databaseStep('advanceChat', { workspaceId, chatId }, 'Take the next step');
    if (step.kind === 'turn') {
      setCurrentDetails('The agent has its turn.');
      await runAgentTurn(input, step.chatVersion);
    } else if (step.kind === 'wait') {
      setCurrentDetails('Waits for a follow-up to be due, or for the member.');
      const delay = delayUntil(step.until ?? 0);
      await condition(() => woken, delay, { summary: 'Follow-up' });
    } else if (!woken) {
      setCurrentDetails('Nothing left to answer.');
      return;
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof answerChat>(input);
  }
}
