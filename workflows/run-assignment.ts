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
import {
  type CancelRequest,
  type CancelResult,
  cancelUpdate,
  pokeSignal,
  type SelectTaskRequest,
  type SelectTaskResult,
  selectTaskUpdate,
} from './contracts/messages.js';
import type { AssignmentRunInput } from './contracts/runs.js';
import type { AssignmentStep } from './contracts/steps.js';
import { delayUntil } from './delay-until.js';
import { LocalStepQueue } from './local-step-queue.js';
import { isLongForWaiting } from './long-history.js';
import { standStill } from './stand-still.js';

/**
 * Walks a member through the tasks of a workflow definition, for as long as it takes.
 *
 * The database says where the assignment stands; the run drives it: it takes the next step, lets the agent have
 * its turn, and waits for a message, a timer or a person. It ends when the assignment is concluded.
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
  /** Pokes and commands that have come. */
  #happenings = 0;
  #commandsUnderWay = 0;
  /** A command was answered since the run last made sure that it may close. */
  #hasAnswered = false;
  /** What a command has found to come next, unless something happened since. */
  #known: AssignmentStep | undefined;

  constructor(input: AssignmentRunInput) {
    this.#input = input;
  }

  wake(): void {
    this.#happenings += 1;
    this.#known = undefined;
    this.#woken = true;
  }

  select(request: SelectTaskRequest): Promise<SelectTaskResult> {
    return this.#carryOut(() =>
      this.#steps.execute('selectTask', { ...this.#ids, ...request }, 'Select a task'),
    );
  }

  /** Stops a turn in progress, then concludes the assignment, whatever else happens. */
  cancel(request?: CancelRequest): Promise<CancelResult> {
    this.#turn?.cancel();
    return CancellationScope.nonCancellable(() =>
      this.#carryOut(async () => {
        const { status } = await this.#steps.execute(
          'cancelAssignment',
          { ...this.#ids, ...(request === undefined ? {} : { requestUuid: request.requestUuid }) },
          'Cancel the assignment',
        );
        // One that began in the meantime, too.
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
   * Resolves when the run may close. Where something happens meanwhile, the server refuses the workflow task that closes
   * a run, and drops the updates that the task answers. So a run that was given commands closes in a task of its own.
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
    // A burst of commands is let through first.
    await condition(() => this.#steps.isIdle);
    const known = this.#known;
    this.#known = undefined;
    this.#woken = false;
    return known ?? (await this.#steps.execute('advanceAssignment', this.#ids, 'Take the next step'));
  }

  /**
   * Carries out a command, and keeps in mind what it found to come next. Of several at once, or where something came
   * meanwhile, it may not have found all: they need not be answered in the order in which the database took them.
   */
  async #carryOut<Answer>(step: () => Promise<{ answer: Answer; next: AssignmentStep }>): Promise<Answer> {
    this.#happenings += 1;
    const happenings = this.#happenings;
    const isAlone = this.#commandsUnderWay === 0;
    this.#commandsUnderWay += 1;
    try {
      const { answer, next } = await step();
      this.#known = isAlone && happenings === this.#happenings ? next : undefined;
      this.#woken = true;
      return answer;
    } finally {
      this.#commandsUnderWay -= 1;
      this.#hasAnswered = true;
    }
  }

  async #takeTurn(chatVersion: number, taskName: string): Promise<void> {
    const turn = new CancellationScope();
    this.#turn = turn;
    try {
      await turn.run(() => runAgentTurn({ chat: this.#input, chatVersion, taskName }, this.#steps));
    } catch (error) {
      // Cancelled by an update: the next step finds the assignment concluded. Cancelled as a whole: so are we.
      if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error;
    } finally {
      this.#turn = undefined;
      // What a command found during the turn, the turn has gone on from.
      this.#known = undefined;
    }
  }

  async #wait(until: number | undefined): Promise<void> {
    if (until === undefined) await condition(() => this.#woken);
    else {
      await condition(() => this.#woken, delayUntil(until), {
        summary: 'Wait for the time to come, or for the member',
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
  if (step.kind === 'turn') return `${title}\n\nTask **${step.taskName}**: the agent has its turn.`;
  const until = step.until === undefined ? '' : ` (until ${new Date(step.until).toISOString()})`;
  return `${title}\n\nTask **${step.taskName}**: ${step.state}${until}.`;
}

// Validators are synchronous and see no database: they check the shape only.
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
