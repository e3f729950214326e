import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
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
import type { AssignmentRunInput } from './contracts/runs.js';
import type { AssignmentStep } from './contracts/steps.js';
import { LocalStepQueue } from './local-step-queue.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/**
 * Walks a member through the tasks of a workflow definition. The database holds the state of the assignment; the run
 * drives it: it requests the next step, runs a turn of the agent, and waits for a message, a timer or a person.
 */
export async function runAssignment(input: AssignmentRunInput): Promise<{ status: string }> {
  const assignment = new AssignmentRun(input);
  setHandler(pokeSignal, () => assignment.wake());
  setHandler(selectTaskUpdate, (request) => assignment.select(request), { validator: checkSelectTask });
  setHandler(cancelUpdate, (request) => assignment.cancel(request), { validator: checkCancel });
  return await assignment.run();
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
      this.#steps.execute('selectTask', { ...this.#ids, ...request }, 'Select a task'),
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
          'Cancel the assignment',
        );
        // A turn may have begun in the meantime.
        this.#turn?.cancel();
        return { answer: { status }, next: { kind: 'concluded', status } };
      }),
    );
  }

  async run(): Promise<{ status: string }> {
    try {
      return await this.#drive();
    } catch (error) {
      if (!isCancellation(error)) throw error;
      await this.cancel();
      setCurrentDetails('Cancelled by an operator in Temporal.');
      await CancellationScope.nonCancellable(() => this.#mayClose());
      throw error;
    }
  }

  async #drive(): Promise<{ status: string }> {
    for (;;) {
      let isLong = false;
      try {
        const step = await this.#nextStep();
        setCurrentDetails(describe(this.#input, step));
        if (step.kind === 'concluded') {
          await this.#mayClose();
          return { status: step.status };
        }
        if (step.kind === 'turn') await this.#takeTurn(step.chatVersion, step.taskName);
        else {
          isLong = isLongForWaiting();
          if (!isLong) await this.#wait(step.until);
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
    return prefetched ?? (await this.#steps.execute('advanceAssignment', this.#ids, 'Take the next step'));
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

  async #takeTurn(chatVersion: number, taskName: string): Promise<void> {
    const turn = new CancellationScope();
    this.#turn = turn;
    try {
      await turn.run(() => runAgentTurn({ chat: this.#input, chatVersion, taskName }, this.#steps));
    } catch (error) {
      // After a cancel update the next step finds the assignment concluded; a cancelled run rethrows.
      if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
    } finally {
      this.#turn = undefined;
      // A step found by a command during the turn is out of date by now.
      this.#prefetchedStep = undefined;
    }
  }

  async #wait(until: number | undefined): Promise<void> {
    if (until === undefined) await condition(() => this.#woken);
    else {
      await condition(() => this.#woken, delayUntil(until), {
        summary: 'Wait for the member, or until the time set by the task',
      });
    }
  }

  get #ids(): { workspaceId: number; assignmentId: number } {
    return { workspaceId: this.#input.workspaceId, assignmentId: this.#input.assignmentId };
  }
}

function describe(input: AssignmentRunInput, step: AssignmentStep): string {
  const title = `**${input.definitionName}**, assignment ${input.assignmentId}`;
  if (step.kind === 'concluded') return `${title}: concluded, \`${step.status}\`.`;
  if (step.kind === 'turn') return `${title}\n\nTask **${step.taskName}**: the agent answers.`;
  const dueAt = step.dueAt === undefined ? step.until : step.dueAt;
  const until = dueAt === undefined || dueAt === null ? '' : ` (until ${new Date(dueAt).toISOString()})`;
  return `${title}\n\nTask **${step.taskName}**: ${step.state}${until}.`;
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
