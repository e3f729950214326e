import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { runAgentTurn } from './agent-turn.js';
import type {
  CancelRequest,
  CancelResult,
  SelectTaskRequest,
  SelectTaskResult,
} from './contracts/commands.js';
import { cancelUpdate, pokeSignal, selectTaskUpdate } from './contracts/messages.js';
import { markdownName } from './contracts/names.js';
import type { AssignmentRunInput } from './contracts/runs.js';
import type { AssignmentStep } from './contracts/steps.js';
import { LocalStepQueue } from './local-step-queue.js';
import { Place } from './place.js';
import { showStands } from './show-stands.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/**
 * Walks a member through the tasks of a workflow definition. The database holds the state of the assignment; the run
 * drives it: it requests the next step, runs a turn of the agent, and waits for a message, a timer or a person.
 */
export async function runAssignment(input: AssignmentRunInput): Promise<AssignmentEnd> {
  const assignment = new AssignmentRun(input);
  setHandler(pokeSignal, () => assignment.wake());
  setHandler(selectTaskUpdate, (request) => assignment.select(request), { validator: checkSelectTask });
  setHandler(cancelUpdate, (request) => assignment.cancel(request), { validator: checkCancel });
  return await assignment.run();
}

/** The result of a run. That of a cancelled assignment has none: it ends as cancelled. */
interface AssignmentEnd {
  status: string;
  taskName?: string;
  code?: string;
}

class AssignmentRun {
  readonly #input: AssignmentRunInput;
  readonly #steps = new LocalStepQueue();
  #turn: CancellationScope | undefined;
  #woken = true;
  /** Pokes and commands received so far. */
  #messagesReceived = 0;
  #commandsInFlight = 0;
  /** A command was answered since the last check whether the run may close. */
  #hasAnswered = false;
  /** The next step as the last command found it; cleared by any message that arrives later. */
  #prefetchedStep: AssignmentStep | undefined;
  readonly #place = new Place();
  #walk: string[] | undefined;

  constructor(input: AssignmentRunInput) {
    this.#input = input;
  }

  wake(): void {
    this.#messagesReceived += 1;
    this.#prefetchedStep = undefined;
    this.#woken = true;
  }

  select(request: SelectTaskRequest): Promise<SelectTaskResult> {
    return this.#executeCommand(() =>
      this.#steps.execute(
        'selectTask',
        { ...this.#ids, ...request },
        `Select a task${this.#place.inWords()}`,
      ),
    );
  }

  /** Stops the turn in progress, then concludes the assignment; cancelling the run does not interrupt it. */
  cancel(request?: CancelRequest): Promise<CancelResult> {
    this.#turn?.cancel();
    return CancellationScope.nonCancellable(() =>
      this.#executeCommand(async () => {
        const { status } = await this.#steps.execute(
          'cancelAssignment',
          { ...this.#ids, ...(request === undefined ? {} : { requestUuid: request.requestUuid }) },
          `Cancel the assignment${this.#place.inWords()}`,
        );
        // A turn may have begun in the meantime.
        this.#turn?.cancel();
        return { answer: { status }, next: { kind: 'concluded', status } };
      }),
    );
  }

  async run(): Promise<AssignmentEnd> {
    const end = await this.#driveUntilCancelled();
    // docs/decisions/0098-a-cancelled-assignment-ends-its-run-as-cancelled.md
    if (end.status === 'cancelled' && patched('ends-as-cancelled')) throw new CancelledFailure('cancelled');
    return end;
  }

  async #driveUntilCancelled(): Promise<AssignmentEnd> {
    try {
      return await this.#drive();
    } catch (error) {
      if (!isCancellation(error)) throw error;
      const { status } = await this.cancel();
      setCurrentDetails(
        `${this.#describe({ kind: 'concluded', status })} An operator cancelled the run in Temporal.`,
      );
      showStands(undefined);
      await CancellationScope.nonCancellable(() => this.#mayClose());
      throw error;
    }
  }

  async #drive(): Promise<AssignmentEnd> {
    for (;;) {
      let isLong = false;
      try {
        const step = await this.#nextStep();
        this.#place.taskName = step.taskName ?? this.#place.taskName;
        this.#walk = step.walk ?? this.#walk;
        setCurrentDetails(this.#describe(step));
        showStands(step.kind === 'wait' ? step.stands : undefined);
        if (step.kind === 'concluded') {
          await this.#mayClose();
          return endOf(step, this.#place.taskName);
        }
        if (step.kind === 'turn') await this.#takeTurn(step.chatVersion);
        else {
          isLong = isLongForWaiting();
          if (!isLong) await this.#wait(step);
        }
      } catch (error) {
        await standStill(this.#input, error, () => this.#woken);
      }

      if (isLong || workflowInfo().continueAsNewSuggested) {
        await this.#mayClose();
        await continueAsNew<typeof runAssignment>(this.#input);
      }
    }
  }

  /**
   * Resolves when the run may close. If a message arrives during the workflow task that closes a run, the server
   * rejects that task and drops the updates that it answers; so the answers are sent in a task before the closing one.
   */
  async #mayClose(): Promise<void> {
    for (;;) {
      await condition(allHandlersFinished);
      if (!this.#hasAnswered || !patched('closes-after-its-answers')) return;
      this.#hasAnswered = false;
      await CancellationScope.nonCancellable(() => sleep(1, { summary: 'Answer the commands, then close' }));
    }
  }

  async #nextStep(): Promise<AssignmentStep> {
    // Commands that arrived together go first.
    await condition(() => this.#steps.isIdle);
    const prefetched = this.#prefetchedStep;
    this.#prefetchedStep = undefined;
    this.#woken = false;
    const summary = `Take the next step${this.#place.inWords()}`;
    return prefetched ?? (await this.#steps.execute('advanceAssignment', this.#ids, summary));
  }

  /**
   * Executes a command and keeps the next step that it found. With several commands in flight, or a message since, that
   * step may be out of date, because answers need not arrive in the order of their transactions: it is dropped then.
   */
  async #executeCommand<Answer>(
    step: () => Promise<{ answer: Answer; next: AssignmentStep }>,
  ): Promise<Answer> {
    this.#messagesReceived += 1;
    const received = this.#messagesReceived;
    const isAlone = this.#commandsInFlight === 0;
    this.#commandsInFlight += 1;
    try {
      const { answer, next } = await step();
      this.#prefetchedStep = isAlone && received === this.#messagesReceived ? next : undefined;
      this.#woken = true;
      return answer;
    } finally {
      this.#commandsInFlight -= 1;
      this.#hasAnswered = true;
    }
  }

  async #takeTurn(chatVersion: number): Promise<void> {
    const turn = new CancellationScope();
    this.#turn = turn;
    let next: AssignmentStep | undefined;
    try {
      const end = await turn.run(() =>
        runAgentTurn({ chat: this.#input, chatVersion, place: this.#place }, this.#steps),
      );
      next = end.next as AssignmentStep | undefined;
    } catch (error) {
      // After a cancel update the next step finds the assignment concluded; a cancelled run rethrows.
      if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
    } finally {
      this.#turn = undefined;
      // A step found by a command during the turn is out of date by now.
      this.#prefetchedStep = undefined;
    }
    // So is the one that the turn has found, if anything has come since the step before it, or a command is in progress.
    if (next === undefined || this.#woken || this.#commandsInFlight > 0) return;
    if (patched('next-step-of-turn')) this.#prefetchedStep = next;
  }

  async #wait({ until, dueAt }: Extract<AssignmentStep, { kind: 'wait' }>): Promise<void> {
    if (until === undefined) await condition(() => this.#woken);
    else {
      const look = dueAt === undefined || dueAt === until ? '' : ', to look again';
      const summary = `Wait${this.#place.inWords()}, at most until ${new Date(until).toISOString()}${look}`;
      await condition(() => this.#woken, delayUntil(until), { summary });
    }
  }

  #describe(step: AssignmentStep): string {
    const { definitionName, assignmentId, memberId, chatId } = this.#input;
    const title = `**${markdownName(definitionName)}**, assignment ${assignmentId} of member ${memberId} in chat ${chatId}`;
    const walk =
      this.#walk === undefined ? '' : `\n\nTasks visited: ${this.#walk.map(markdownName).join(' → ')}`;
    return `${title}\n\n${this.#state(step)}${walk}`;
  }

  #state(step: AssignmentStep): string {
    const { taskName } = this.#place;
    const task = taskName === undefined ? '' : `Task **${markdownName(taskName)}**: `;
    if (step.kind === 'concluded') {
      return `${task}concluded, \`${step.status}\`${step.code === undefined ? '' : ` (\`${step.code}\`)`}.`;
    }
    if (step.kind === 'turn') return `${task}the agent answers.`;
    const dueAt = step.dueAt === undefined ? step.until : step.dueAt;
    const until = dueAt === undefined || dueAt === null ? '' : ` (until ${new Date(dueAt).toISOString()})`;
    return `${task}${step.state}${until}.`;
  }

  get #ids(): { workspaceId: number; assignmentId: number } {
    return { workspaceId: this.#input.workspaceId, assignmentId: this.#input.assignmentId };
  }
}

function endOf(
  { status, code }: Extract<AssignmentStep, { kind: 'concluded' }>,
  taskName: string | undefined,
): AssignmentEnd {
  return { status, ...(taskName === undefined ? {} : { taskName }), ...(code === undefined ? {} : { code }) };
}

// Update validators run before anything is recorded and cannot use activities: they check the shape only.
function checkSelectTask(request: SelectTaskRequest): void {
  if (!isUuid(request?.requestUuid) || !Number.isSafeInteger(request.assignmentTaskId)) throw malformed();
}

function checkCancel(request: CancelRequest): void {
  if (!isUuid(request?.requestUuid)) throw malformed();
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

function malformed(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('the request is malformed', 'malformed_request');
}
