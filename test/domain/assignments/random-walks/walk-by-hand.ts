import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import type { ScriptStep } from '../../../../domain/simulation/script.js';
import { labels } from './random-tree.js';

/** Where a walk has come by the rules of docs/workflows.md, which are written here once more, without the code of the service. */
export interface HandWalk {
  script: ScriptStep[];
  /** The names of the tasks in the order in which they were entered. */
  entered: string[];
  /** How it stands at its end. */
  end: 'completed' | 'undecided' | 'handed over' | 'waits';
  current: string;
}

const maxActs = 10;
/** More automatic steps than these in a row end an assignment. */
const maxEntered = 40;

/** Walks through a tree with the choices, labels and jumps that `random` draws, and writes them down as a script. */
export function walkByHand(root: RevisionTask, has: Set<string>, random: () => number): HandWalk {
  return new Hand(root, has, random).walk();
}

class Hand {
  readonly #script: ScriptStep[] = [];
  readonly #entered: string[] = [];
  readonly #parents = new Map<RevisionTask, RevisionTask>();
  readonly #all: RevisionTask[] = [];
  readonly #has: Set<string>;
  readonly #random: () => number;
  #current: RevisionTask;
  #isComplete = false;
  #isConcluded = false;
  /** A turn of the agent is due. */
  #isDue = false;

  constructor(root: RevisionTask, has: Set<string>, random: () => number) {
    this.#current = root;
    this.#has = has;
    this.#random = random;
    const list = (task: RevisionTask) => {
      this.#all.push(task);
      for (const child of task.children ?? []) {
        this.#parents.set(child, task);
        list(child);
      }
    };
    list(root);
  }

  walk(): HandWalk {
    this.#enter(this.#current, false);
    for (let acts = Math.floor(this.#random() * maxActs); acts > 0; acts -= 1) {
      if (this.#isConcluded || this.#entered.length > maxEntered) break;
      // After a select, the agent would stay paused.
      const hasAgent = this.#isComplete || this.#current.taskType !== 'handoff';
      if (hasAgent && this.#chance(0.1)) this.#jump();
      else if (!this.#act()) break;
    }
    return { script: this.#script, entered: this.#entered, end: this.#end(), current: this.#current.name };
  }

  #end(): HandWalk['end'] {
    if (this.#isConcluded) return 'completed';
    if (this.#isComplete) return 'waits';
    if (this.#current.taskType === 'decision') return 'undecided';
    return this.#current.taskType === 'handoff' ? 'handed over' : 'waits';
  }

  /** Something happens that moves the walk. @returns false if nothing can */
  #act(): boolean {
    const { taskType } = this.#current;
    if (!this.#isComplete && taskType === 'wait') {
      this.#script.push({ clock: 'next' });
      this.#complete(this.#current, false);
      return true;
    }
    if (!this.#isComplete && taskType === 'handoff') {
      this.#script.push({ resume: true });
      this.#complete(this.#current, false);
      return true;
    }
    if (!this.#isComplete && taskType === 'decision') {
      this.#changeLabels();
      return true;
    }
    const choices = this.#offered();
    const chosen = choices[Math.floor(this.#random() * choices.length)];
    if (chosen !== undefined) this.#choose(chosen);
    else if (taskType === 'conversation' && !this.#isComplete && this.#current.autoNext && this.#isDue) {
      const step: ScriptStep = { agent: { calls: [{ name: 'complete_task' }] } };
      this.#inTurn(step, () => this.#complete(this.#current, true));
    } else return false;
    return true;
  }

  /** The agent or the member chooses a child. */
  #choose(task: RevisionTask): void {
    if (this.#isDue && this.#chance(0.5)) {
      this.#inTurn({ agent: { select: task.name } }, () => this.#enter(task, true));
      return;
    }
    this.#answer();
    this.#script.push({ select: { task: task.name, by: 'member' } });
    this.#enter(task, false);
  }

  /** The agent talks in the turn that is due, which moves nothing. */
  #answer(): void {
    if (this.#isDue) this.#script.push({ agent: { say: 'Well?' } });
    this.#isDue = false;
  }

  /** What the agent does in a turn, which ends with words of it, unless it comes to a task in which it does not speak. */
  #inTurn(step: ScriptStep & { agent?: object }, move: () => void): void {
    this.#isDue = false;
    move();
    const isOver = this.#isConcluded || !(this.#isComplete || this.#current.taskType === 'conversation');
    this.#script.push(isOver ? step : ({ agent: { ...step.agent, say: 'Fine.' } } as ScriptStep));
  }

  /** A colleague selects any task: its guards count, and its condition below the current task. */
  #jump(): void {
    const task = this.#all[Math.floor(this.#random() * this.#all.length)] as RevisionTask;
    const isChild = this.#parents.get(task) === this.#current;
    this.#answer();
    this.#script.push({ select: { task: task.name } });
    if (!this.#isOpen(task) || (isChild && !this.#holds(task.celCondition))) return;
    this.#enter(task, false);
  }

  #changeLabels(): void {
    const drawn = labels.filter(() => this.#chance(0.5));
    this.#has.clear();
    for (const label of drawn) this.#has.add(label);
    this.#script.push({ change: { labels: drawn } });
    this.#complete(this.#current, false);
  }

  #enter(task: RevisionTask, inTurn: boolean): void {
    this.#entered.push(task.name);
    this.#current = task;
    this.#isComplete = false;
    if (task.taskType === 'conclude') this.#isConcluded = true;
    else if (task.taskType === 'message' || task.taskType === 'decision') this.#complete(task, inTurn);
    else if (task.taskType === 'conversation') this.#isDue = !inTurn;
  }

  #complete(task: RevisionTask, inTurn: boolean): void {
    const children = task.children ?? [];
    const first = children.find((child) => this.#mayCome(child));
    if (task.taskType === 'decision') {
      const { repeat, atMost } = task.configuration ?? {};
      const earlier = this.#all.find(({ name }) => name === repeat);
      const times = this.#entered.filter((name) => name === task.name).length;
      if (earlier !== undefined && times <= Number(atMost) && this.#isOpen(earlier)) {
        this.#isComplete = true;
        this.#enter(earlier, inTurn);
        return;
      }
      if (first === undefined && task.configuration?.otherwise !== 'next') return;
      this.#isComplete = true;
      this.#goTo(first ?? this.#behind(task), inTurn);
      return;
    }
    this.#isComplete = true;
    if (task.autoNext) this.#goTo(first ?? this.#behind(task), inTurn);
    // The agent chooses at once, and elsewhere when the member writes.
    else if (task.taskType === 'wait' && first !== undefined) this.#isDue = !inTurn;
  }

  #goTo(task: RevisionTask | undefined, inTurn: boolean): void {
    if (task === undefined) this.#isConcluded = true;
    else this.#enter(task, inTurn);
  }

  /** What follows on a task that is done with those below it. */
  #behind(task: RevisionTask): RevisionTask | undefined {
    const parent = this.#parents.get(task);
    if (parent === undefined) return undefined;
    const isOneOf = parent.taskType === 'conversation' || parent.taskType === 'decision' || !parent.autoNext;
    if (isOneOf) return this.#behind(parent);
    const siblings = parent.children ?? [];
    const later = siblings.slice(siblings.indexOf(task) + 1).find((sibling) => this.#mayCome(sibling));
    return later ?? this.#behind(parent);
  }

  #offered(): RevisionTask[] {
    return (this.#current.children ?? []).filter((child) => this.#mayCome(child));
  }

  #mayCome(task: RevisionTask): boolean {
    return this.#isOpen(task) && this.#holds(task.celCondition);
  }

  #isOpen(task: RevisionTask): boolean {
    const parent = this.#parents.get(task);
    return this.#holds(task.celGuard) && (parent === undefined || this.#isOpen(parent));
  }

  #holds(condition: string | null | undefined): boolean {
    const [, not, label = ''] = /^(!?)\(?"(\w+)" in/.exec(condition ?? '') ?? [];
    return label === '' || this.#has.has(label) !== (not === '!');
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}
