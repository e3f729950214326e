import { speak } from '../../support/spoken.js';
import type { Call, FinalStatus } from './call-store.js';
import type { JoinedSocket } from './joined-socket.js';
import { type Line, LineDead } from './line.js';
import { speech } from './mulaw.js';
import type { Step } from './plan.js';

const keyMs = 100;

/** A call as far as its script knows it. */
export interface ScriptedCall {
  readonly call: Call;
  /** Undefined until it is answered. */
  line: Line | undefined;
  /** The stream, or session of text, that is open. */
  stream: JoinedSocket | undefined;
  /** What a key does beside a stream: while keys are gathered. */
  keypad: ((digit: string) => void) | undefined;
  /** Milliseconds of the service's audio that the handset has heard in this call. */
  heardMs: number;
  end(status: FinalStatus): void;
}

/** Does the steps one after the other, until the call ends. */
export async function follow(live: ScriptedCall, steps: readonly Step[]): Promise<void> {
  try {
    for (const step of steps) await act(live, step);
  } catch (error) {
    if (!(error instanceof LineDead)) throw error;
  }
}

async function act(live: ScriptedCall, step: Step): Promise<void> {
  const { line } = live;
  if (line === undefined) return;
  if ('say' in step) {
    await line.speak(soundOf(step.say));
  } else if ('wait' in step) await line.after(step.wait);
  else if ('keys' in step) await press(live, step.keys);
  else if ('untilAsked' in step) await line.until(() => live.call.asked.length >= step.untilAsked);
  else if ('untilStream' in step) {
    const count = () => live.call.streams.length + live.call.relays.length;
    await line.until(() => count() >= step.untilStream && live.stream !== undefined);
  } else if ('untilHears' in step) {
    const heard = live.heardMs + step.untilHears;
    await line.until(() => live.heardMs >= heard);
  } else if ('untilQuiet' in step) await quiet(live, step.untilQuiet);
  else if ('stall' in step) live.stream?.stall(step.stall);
  else if ('drop' in step) live.stream?.drop(step.drop);
  else if ('breakStream' in step) live.stream?.break();
  else live.end('completed');
}

function soundOf(said: Extract<Step, { say: object }>['say']): Buffer {
  if ('ms' in said) return speech(said.ms);
  return 'words' in said ? speak(said.words) : Buffer.from(said.base64, 'base64');
}

async function press(live: ScriptedCall, keys: string): Promise<void> {
  for (const digit of keys) {
    live.stream?.press(digit);
    live.keypad?.(digit);
    await live.line?.after(keyMs);
  }
}

/** Until something was heard, and then nothing for so long. */
async function quiet(live: ScriptedCall, ms: number): Promise<void> {
  const { line } = live;
  let [heard, since] = [live.heardMs, Number.POSITIVE_INFINITY];
  await line?.until(() => {
    if (live.heardMs > heard) [heard, since] = [live.heardMs, line.ms];
    return line.ms - since >= ms;
  });
}
