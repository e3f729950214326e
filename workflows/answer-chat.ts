import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { runAgentTurn } from './agent-turn.js';
import { pokeSignal } from './contracts/messages.js';
import type { ChatRunInput } from './contracts/runs.js';
import type { ChatStep } from './contracts/steps.js';
import { delayUntil } from './delay-until.js';
import { LocalStepQueue } from './local-step-queue.js';
import { isLongForWaiting } from './long-history.js';
import { standStill } from './stand-still.js';

/**
 * Answers a chat that has an assistant and no active assignment: a turn for whatever is new, then, unless a
 * follow-up is due later, the run ends. The next message starts it anew.
 */
export async function answerChat(input: ChatRunInput): Promise<void> {
  const steps = new LocalStepQueue();
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, chatId } = input;
  /** What a turn has found to come next; a poke since then may have changed it. */
  let known: ChatStep | undefined;

  for (;;) {
    let isLong = false;
    try {
      const step = woken ? undefined : known;
      woken = false;
      known = undefined;
      const next =
        step ?? (await steps.execute('advanceChat', { workspaceId, chatId }, 'Take the next step'));
      if (next.kind === 'turn') {
        setCurrentDetails('The agent has its turn.');
        known = await runAgentTurn({ chat: input, chatVersion: next.chatVersion }, steps);
      } else if (next.kind === 'wait') {
        const until = next.until ?? 0;
        setCurrentDetails(
          `Waits until ${new Date(until).toISOString()} for a follow-up or a turn to be due, or for the member.`,
        );
        isLong = isLongForWaiting();
        if (!isLong) await condition(() => woken, delayUntil(until), { summary: 'Follow-up' });
      } else if (!woken) {
        setCurrentDetails('Nothing left to answer.');
        return;
      }
    } catch (error) {
      await standStill(input, error, () => woken);
    }
    if (isLong || workflowInfo().continueAsNewSuggested) await continueAsNew<typeof answerChat>(input);
  }
}
