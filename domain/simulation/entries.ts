import type { CausedBy } from '../../db/assignments/timeline-entries.js';
import type { TimelineKind } from '../assignments/timeline/kinds.js';
import type { ScriptStep } from './script.js';

/** Who speaks: `task`: a text of the definition; `note`: for colleagues only. */
export type Speaker = 'member' | 'agent' | 'task' | 'operator' | 'service' | 'note';

/** What happened, without its time and place, in the words of timelines. */
export type Happening =
  | { kind: 'entered'; by: CausedBy }
  | { kind: 'completed' }
  | { kind: 'message'; from: Speaker; text: string; suggestions?: readonly string[] }
  | { kind: 'tool'; tool: string; arguments: string; result: string }
  | { kind: 'timer_set'; until: Date }
  | { kind: 'timer_came' }
  | { kind: 'follow_up_set'; until: Date; text: string }
  | { kind: 'follow_up_came'; text: string }
  | { kind: 'follow_up_cancelled'; text: string }
  | { kind: 'delivery'; status: string; reason?: string; until?: Date }
  | { kind: 'refused'; reason: string; text: string }
  | { kind: 'needs_response'; reason: string; text: string }
  | { kind: 'answered' }
  | { kind: 'paused'; reason: string | null }
  | { kind: 'resumed' }
  | { kind: 'concluded'; status: string; outcome: string | null; reason: string | null };

const kinds: Record<Happening['kind'], true> = {
  entered: true,
  completed: true,
  message: true,
  tool: true,
  timer_set: true,
  timer_came: true,
  follow_up_set: true,
  follow_up_came: true,
  follow_up_cancelled: true,
  delivery: true,
  refused: true,
  needs_response: true,
  answered: true,
  paused: true,
  resumed: true,
  concluded: true,
};
export const entryKinds: readonly (Happening['kind'] & TimelineKind)[] = Object.keys(
  kinds,
) as Happening['kind'][];

/** One line of the walk. */
export type Entry = Happening & {
  at: Date;
  /** The step of the script after which it happened; absent before the first. */
  step?: number;
  /** The name of the task concerned, or the current one. */
  task: string | null;
};

/** What the walk waits for at its end. */
export interface WaitsFor {
  task: string;
  what: string;
  /** When a time comes that moves it; absent if there is none. */
  until?: Date;
}

export interface Simulation {
  entries: Entry[];
  status: 'active' | 'completed' | 'cancelled' | 'failed';
  outcome: string | null;
  outcomeReason: string | null;
  currentTask: string;
  needsResponse: boolean;
  needsResponseReason: string | null;
  /** Absent once the assignment has ended. */
  waitsFor?: WaitsFor;
  endsAt: Date;
  /** The steps taken, with the answers of the model: a script by which the walk is the same without one. */
  script: ScriptStep[];
}
