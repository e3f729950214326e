import { markdownName, shortName } from './contracts/names.js';
import type { RunInputs } from './contracts/runs.js';
import type { CallOutcome, CallProgress, CallStep } from './contracts/steps.js';

/** What operators read of the run of a call. */

type Input = RunInputs['runVoiceCall'];

export type Wait = Extract<CallStep, { kind: 'wait' }>;

/** The summary of a step, by what was waited for before; undefined: the run begins, or the last step was one of several. */
export function stepSummary({ direction }: Input, before: Wait['for'] | 'begin' | undefined): string {
  if (before === undefined) return 'Take the next step of the call';
  if (before === 'begin') return direction === 'outbound' ? 'Dial the call' : 'Look at the call that came in';
  return stepsAfter[before];
}

const stepsAfter: Record<Wait['for'], string> = {
  answer: 'Look whether it was answered',
  end: 'Look at the call that goes on',
  outcome: 'Look for the call at the carrier',
  carrier: 'Try again at the carrier',
  carrier_unusable: 'Try again with the account at the carrier',
  release: 'End the call at the carrier, if it is up',
  bill: 'Ask what the call cost',
  held: 'Look whether the hold of the workspace has ended',
};

/** The summary of the timer of a wait: what the step before has found. */
export function waitSummary({ for: reason, call, ended }: Wait): string {
  if (ended !== undefined) return `${waits[reason]}: ended, ${outcome(ended, '')}`;
  if (call === undefined) return waits[reason];
  const inTask = call.taskName === undefined ? '' : `, in “${shortName(call.taskName)}”`;
  return `${waits[reason]}: answered ${clock(call.answeredAt)}${inTask}, ${speaking(call)}`;
}

const waits: Record<Wait['for'], string> = {
  answer: 'Wait for an answer, or for the end',
  end: 'Wait for the end of the call',
  outcome: 'Wait before the call is looked for at the carrier',
  carrier: 'Wait for the carrier',
  carrier_unusable: 'Wait until the account at the carrier can be used',
  release: 'Wait for the end that the carrier was told',
  bill: 'Wait for the bill',
  held: 'Wait for the end of the hold of the workspace',
};

/** The details of a call that waits, as it is now. */
export function waitDetails(input: Input, step: Wait): string {
  const until = new Date(step.until).toISOString();
  if (step.ended !== undefined)
    return `${title(input)}: ended, ${outcome(step.ended)}. What it cost is asked at ${until}.`;
  if (step.call === undefined) return `${title(input)}: ${states[step.for]} at ${until}.`;
  return `${title(input)}: at ${clock(Date.now())}, ${progress(step.call)}. It is looked at again at ${until}.`;
}

const states: Record<Wait['for'], string> = {
  answer: 'was dialled: it rings or is up, and is asked about at the carrier',
  end: 'goes on, and is looked at again',
  outcome: 'may be dialled: it is looked for at the carrier',
  carrier: 'waits for the carrier, which takes no requests now, and is tried again',
  carrier_unusable: 'waits, as the account at the carrier cannot be used, and is tried again',
  release: 'is over for us, and is ended at the carrier',
  bill: 'has ended; what it cost is asked',
  held: 'waits for the end of the hold of the workspace, and is looked at',
};

/** The details of a call that is over. */
export function endDetails(input: Input, ended: CallOutcome): string {
  return `${title(input)}: ended, ${outcome(ended)}.`;
}

function outcome(ended: CallOutcome, quote = '`'): string {
  const { status, reason, failure, transfer, seconds, credits } = ended;
  const said = [
    ...[status, reason, failure].flatMap((code) => (code === undefined ? [] : quote + code + quote)),
    ...(transfer === undefined ? [] : [`transfer ${quote}${transfer}${quote}`]),
    ...(seconds === undefined ? [] : [lasting(seconds)]),
    ...(credits === undefined ? [] : [`${credits} credits`]),
  ];
  return said.join(', ');
}

function progress(call: CallProgress): string {
  const { answeredAt, taskName, transfer } = call;
  const seconds = Math.max(0, Math.round((Date.now() - answeredAt) / 1_000));
  const inTask = taskName === undefined ? '' : `, in “${markdownName(taskName)}”`;
  const handedOn =
    transfer === undefined ? '' : `; transfer to ${markdownName(transfer.to)}: \`${transfer.state}\``;
  return `answered ${clock(answeredAt)}, ${lasting(seconds)}${inTask}, ${speaking(call)}${handedOn}`;
}

function speaking({ speaksWith }: CallProgress): string {
  if (speaksWith === 'agent') return 'speaks with the agent';
  return speaksWith === 'transfer' ? 'speaks with whom it was transferred to' : 'nobody speaks';
}

function clock(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(11, 19)}Z`;
}

function lasting(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

function title({ callId, direction, memberId, chatId }: Input): string {
  return `Call ${callId} (${direction}) with member ${memberId} in chat ${chatId}`;
}
