import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { runAgentTurn } from './agent-turn.js';
import { pokeSignal } from './contracts/messages.js';
import type { ChatRunInput } from './contracts/runs.js';
import type { ChatStep } from './contracts/steps.js';
import { LocalStepQueue } from './local-step-queue.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/** Answers a chat that has an assistant and no active assignment, until nothing is due. */
export async function answerChat(input: ChatRunInput): Promise<void> {
  const steps = new LocalStepQueue();
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, chatId } = input;
  /** The next step as the last turn found it; ignored after a poke. */
  let prefetched: ChatStep | undefined;

  for (;;) {
    let isLong = false;
    try {
      const step = woken ? undefined : prefetched;
      woken = false;
      prefetched = undefined;
      const next =
        step ?? (await steps.execute('advanceChat', { workspaceId, chatId }, 'Take the next step'));
      if (next.kind === 'turn') {
        setCurrentDetails('The agent answers.');
        prefetched = await runAgentTurn({ chat: input, chatVersion: next.chatVersion }, steps);
      } else if (next.kind === 'wait') {
        const until = next.until ?? 0;
        setCurrentDetails(
          `Waits for the member, or until ${new Date(until).toISOString()}, when a follow-up or a turn is due.`,
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
