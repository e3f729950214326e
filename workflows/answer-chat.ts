import { setCurrentDetails } from '@temporalio/workflow';
import { runAgentTurn, type TurnEnd } from './agent-turn.js';
import type { RunInputs } from './contracts/runs.js';
import type { ChatStep } from './contracts/steps.js';
import { LocalStepQueue } from './local-step-queue.js';
import { showStands } from './show-stands.js';
import { type Next, orStandStill, untilDone } from './until-done.js';

/** How many turns the agent took in this run, and how many of them ended in which way. */
type Turns = { turns: number } & Partial<Record<TurnEnd['outcome'], number>>;

/** Answers a chat that has an assistant and no active assignment, until nothing is due. */
export async function answerChat(input: RunInputs['answerChat']): Promise<Turns> {
  const steps = new LocalStepQueue();
  const taken: Turns = { turns: 0 };
  const { workspaceId, chatId } = input;
  /** The next step as the last turn found it; ignored after a poke. */
  let prefetched: ChatStep | undefined;

  return await untilDone(input, (pokes) =>
    orStandStill(input, pokes, async (): Promise<Next<Turns>> => {
      const step = pokes.came ? undefined : prefetched;
      prefetched = undefined;
      const next =
        step ?? (await steps.execute('advanceChat', { workspaceId, chatId }, 'Take the next step'));
      showStands(next.kind === 'wait' ? next.stands : undefined);
      if (next.kind === 'turn') {
        setCurrentDetails('The agent answers.');
        const turn = await runAgentTurn({ chat: input, chatVersion: next.chatVersion }, steps);
        prefetched = turn.next as ChatStep | undefined;
        taken.turns += 1;
        taken[turn.outcome] = (taken[turn.outcome] ?? 0) + 1;
        return { kind: 'again' };
      }
      if (next.kind === 'wait') {
        const until = next.until ?? 0;
        setCurrentDetails(
          `Waits for the member, or until ${new Date(until).toISOString()}, when a follow-up, a turn or a decision is due.`,
        );
        return { kind: 'wait', until, summary: 'Wait for the member, a follow-up or a turn' };
      }
      const rest = next.isHeld
        ? 'The workspace is held: the end of the hold begins the run anew.'
        : 'Nothing is left to answer.';
      setCurrentDetails(`${inWords(taken)} ${rest}`);
      return { kind: 'idle', result: taken };
    }),
  );
}

const words: Record<TurnEnd['outcome'], string> = {
  replied: 'replied',
  nothing_to_say: 'had nothing to say',
  superseded: 'was superseded by new messages',
  moved_on: 'ended with a tool',
  abandoned: 'was handed over to a person',
};

function inWords({ turns, ...ended }: Turns): string {
  if (turns === 0) return 'The agent took no turn.';
  const ways = Object.entries(ended).map(([outcome, count]) => {
    return `${words[outcome as TurnEnd['outcome']]}${count === 1 ? '' : ` (${count} times)`}`;
  });
  return `The agent took ${turns} ${turns === 1 ? 'turn' : 'turns'}: ${ways.join(', ')}.`;
}
