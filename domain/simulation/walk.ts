import { randomUUID } from 'node:crypto';
import { loadRevisionTasks, type WorkflowTaskRow } from '../../db/definitions/workflow-tasks.js';
import type { Asked } from '../agent/prepare-round.js';
import { advanceAssignment } from '../assignments/advance-assignment.js';
import type { AssignmentRuns } from '../assignments/assignment-runs.js';
import { cancelAssignment } from '../assignments/cancel-assignment.js';
import { requestCancel } from '../assignments/request-cancel.js';
import { requestTask } from '../assignments/request-task.js';
import { selectTask } from '../assignments/select-task.js';
import { earliest } from '../chat-state/held-turn.js';
import { createChat } from '../conversations/chats/create-chat.js';
import { decideInterrupt } from '../conversations/chats/decide-interrupt.js';
import { getChat } from '../conversations/chats/get-chat.js';
import { postMessage } from '../conversations/chats/post-message.js';
import { receiveSms } from '../conversations/chats/receive-sms.js';
import { sendAssistantMessage } from '../conversations/chats/send-assistant-message.js';
import { updateChat } from '../conversations/chats/update-chat.js';
import type { Actor } from '../kernel/actor.js';
import type { CommandContext, ModelsContext } from '../kernel/context.js';
import { addDuration, checkDuration } from '../lib/duration.js';
import { DomainError, InvalidInput } from '../lib/errors.js';
import { readMoment } from '../lib/local-time.js';
import { updateMember } from '../people/members/update-member.js';
import { type Carrier, deliverDue } from './deliver.js';
import type { Entry, Happening, Simulation } from './entries.js';
import { checkSize, type Deadline, maxTimersInStep } from './limits.js';
import { labelIdsOf, writeRecords } from './member-data.js';
import { type SimulatedAnswer, scriptedAnswer, stepOf } from './model.js';
import { type Observed, Observer, type Snapshot } from './observe.js';
import type { ScriptStep, SimulationInput } from './script.js';
import type { ScriptedClock } from './scripted-clock.js';
import type { ScriptedPhone } from './scripted-phone.js';
import type { Stage } from './stage.js';
import { Turns } from './turn.js';

export interface WalkOptions {
  stage: Stage;
  phone: ScriptedPhone;
  input: SimulationInput;
  timezone: string;
  clock: ScriptedClock;
  deadline: Deadline;
  /** Answers where the script has no answer. */
  model?: (asked: Asked) => Promise<SimulatedAnswer>;
  /** Called with each entry as it comes. */
  onEntry?: (entry: Entry) => void;
}

/** Walks a member through a definition by a script, with the commands and steps of the service itself. */
export class Walk {
  readonly #context: ModelsContext;
  readonly #options: WalkOptions;
  readonly #script: readonly ScriptStep[];
  readonly #entries: Entry[] = [];
  #next = 0;
  /** The steps taken so far, with the answers of the model between them. */
  readonly #taken: ScriptStep[] = [];
  #step: number | undefined;
  #carrier: Carrier = { outcome: 'delivered' };
  #assignmentId = 0;
  #chatId = 0;
  #tasks: WorkflowTaskRow[] = [];
  #observer!: Observer;
  #turns!: Turns;
  #state!: Snapshot;
  /** What the agent's step says after its tool calls. */
  #toSay: string | undefined;
  #waitsFor: { what: string; until?: Date } | undefined;
  /** The next time at which something may happen, also that of a look whether a condition holds. */
  #nextTime: Date | undefined;

  constructor(context: ModelsContext, options: WalkOptions) {
    this.#context = context;
    this.#options = options;
    this.#script = options.input.script ?? [];
  }

  /** @throws InvalidInput for a step that cannot be taken, at `/script/<index>` */
  async run(): Promise<Simulation> {
    this.#takeCarriers();
    await this.#begin();
    await this.#settle();
    for (let step = this.#script[this.#next]; step !== undefined; step = this.#script[this.#next]) {
      if (this.#state.assignment.status !== 'active')
        throw this.#unused('the assignment has ended', '', this.#next);
      this.#take();
      await this.#act(step);
      this.#takeCarriers();
      await this.#settle();
    }
    return this.#result();
  }

  async #begin(): Promise<void> {
    const { stage, phone, input } = this.#options;
    phone.phoneNumberId = stage.number.id;
    const { channel = 'web-chat', isTest = false } = input;
    const chat = await createChat(this.#as(stage.operator), {
      channel,
      workflowId: stage.definitionId,
      memberId: stage.member.memberId,
      isTest,
      ...(channel === 'phone-sms' ? { phoneNumberId: stage.number.id } : {}),
    });
    this.#chatId = chat.id;
    this.#assignmentId = chat.assignmentId ?? 0;
    const { workspaceId } = stage;
    this.#tasks = await this.#context.db.inWorkspace(workspaceId, (tx) =>
      loadRevisionTasks(tx, stage.revisionId),
    );
    const ids = { assignmentId: this.#assignmentId, chatId: this.#chatId };
    const speakers = { memberId: stage.member.memberId, operatorId: stage.operator.memberId };
    this.#observer = new Observer(ids, speakers, this.#tasks);
    this.#turns = new Turns(
      this.#context,
      { workspaceId, ...ids },
      {
        answer: (asked) => this.#answer(asked),
        service: (tool) => this.#options.input.services?.[tool],
        answered: () => this.#observe(),
        called: async (call) => {
          this.#tell([{ ...call, taskId: null }]);
          await this.#observe();
        },
      },
    );
    await this.#observe();
  }

  /** Does everything that happens by itself now, as the run of the assignment and that of its deliveries do. */
  async #settle(): Promise<void> {
    const { workspaceId } = this.#options.stage;
    const ids = { workspaceId, assignmentId: this.#assignmentId };
    for (;;) {
      const step = await advanceAssignment(this.#context, ids);
      await this.#observe();
      const delivered = await deliverDue(this.#context, { workspaceId, chatId: this.#chatId }, this.#carrier);
      if (delivered.news.length > 0) {
        this.#tell(delivered.news.map((one) => ({ ...one, taskId: null })));
        continue;
      }
      if (step.kind === 'concluded') return;
      if (step.kind === 'turn') {
        if (await this.#turns.take(step.chatVersion)) {
          if (this.#toSay !== undefined) throw this.#unused('the turn ended before its text', '/agent/say');
          await this.#observe();
          continue;
        }
        this.#waitUntil('waits for an answer of the agent', delivered.until);
        return;
      }
      const { until: nextTime, dueAt = nextTime } = step;
      this.#waitUntil(step.state, earliest(dateOf(dueAt), delivered.until));
      this.#nextTime = earliest(dateOf(nextTime), delivered.until);
      return;
    }
  }

  #waitUntil(what: string, until: Date | undefined): void {
    this.#waitsFor = { what, ...(until === undefined ? {} : { until }) };
    this.#nextTime = until;
  }

  /** The next step of the script is in progress from now on. */
  #take(): void {
    this.#step = this.#next;
    this.#pass();
  }

  #pass(): void {
    const step = this.#script[this.#next];
    if (step !== undefined) this.#taken.push(step);
    this.#next += 1;
  }

  async #answer(asked: Asked): Promise<SimulatedAnswer | undefined> {
    if (this.#toSay !== undefined) {
      const text = this.#toSay;
      this.#toSay = undefined;
      return scriptedAnswer(text);
    }
    const agent = this.#script[this.#next]?.agent;
    if (agent === undefined) return this.#answerOfModel(asked);
    this.#take();
    const { say, select, calls = [] } = agent;
    const selected = select === undefined ? [] : [this.#selection(select, asked)];
    const all = [...calls.map((call) => ({ name: call.name, arguments: call.arguments ?? {} })), ...selected];
    if (all.length === 0) return scriptedAnswer(say ?? '');
    this.#toSay = say;
    return scriptedAnswer(null, all);
  }

  async #answerOfModel(asked: Asked): Promise<SimulatedAnswer | undefined> {
    const answer = await this.#options.model?.(asked);
    if (answer !== undefined) this.#taken.push(stepOf(answer));
    return answer;
  }

  #selection(name: string, { tools }: Asked) {
    const parameters = tools.find((tool) => tool.name === 'select_task')?.parameters;
    const { task } = (parameters?.properties ?? {}) as { task?: { enum?: string[] } };
    const offered = this.#tasks.filter(({ uuid }) => task?.enum?.includes(uuid));
    const wanted = offered.find((one) => one.name === name);
    if (wanted !== undefined) return { name: 'select_task', arguments: { task: wanted.uuid } };
    const names = offered.map((one) => `"${one.name}"`).join(', ');
    const known = names === '' ? 'no task is' : `offered: ${names}`;
    throw this.#unused(`the agent is not offered this task; ${known}`, '/agent/select');
  }

  async #act(step: ScriptStep): Promise<void> {
    if (step.agent !== undefined) throw this.#unused('no answer of the agent is due');
    if (step.clock !== undefined) return this.#moveClock(step.clock);
    if (step.change !== undefined) await this.#changeMember(step.change);
    try {
      await this.#actAsPerson(step);
    } catch (error) {
      if (!(error instanceof DomainError) || !isRefusal(error)) throw error;
      this.#tell([{ kind: 'refused', reason: error.code, text: error.message, taskId: null }]);
    }
    await this.#observe();
  }

  async #actAsPerson(step: ScriptStep): Promise<void> {
    const { stage } = this.#options;
    const chatId = this.#chatId;
    const operator = this.#as(stage.operator);
    if (step.member !== undefined) await this.#memberWrites(step.member);
    if (step.operator !== undefined) {
      await sendAssistantMessage(operator, { chatId, message: step.operator, toolCalls: [] });
    }
    if (step.decide !== undefined) await this.#decide(operator, step.decide);
    if (step.pause !== undefined) await updateChat(operator, chatId, { paused: true });
    if (step.resume !== undefined) await updateChat(operator, chatId, { paused: false });
    if (step.cancel !== undefined) {
      await requestCancel(operator, this.#runs(), this.#assignmentId, step.cancel.reason ?? null);
    }
    if (step.select !== undefined) {
      const by = step.select.by === 'member' ? this.#as(stage.member) : operator;
      await requestTask(by, this.#runs(), this.#assignmentId, this.#assignmentTaskId(step.select.task));
    }
  }

  async #decide(operator: CommandContext, decision: 'approve' | 'reject'): Promise<void> {
    const { waitingCall } = await getChat(operator, this.#chatId);
    if (waitingCall === undefined) throw this.#unused('no tool call waits for approval', '/decide');
    await decideInterrupt(operator, this.#chatId, { interruptId: waitingCall.uuid, decision });
  }

  async #changeMember({ labels, records = {} }: NonNullable<ScriptStep['change']>): Promise<void> {
    const { stage, clock } = this.#options;
    const { memberId } = stage.member;
    const now = clock.now();
    const pointer = `/script/${this.#step}/change/records`;
    const labelIds = await this.#context.db.inWorkspace(stage.workspaceId, async (tx) => {
      await writeRecords(tx, memberId, records, { now, defaultRegion: stage.defaultRegion, pointer });
      return labels === undefined ? undefined : labelIdsOf(tx, labels, now);
    });
    if (labelIds !== undefined) await updateMember(this.#as(stage.operator), memberId, { labelIds });
  }

  async #memberWrites(text: string): Promise<void> {
    const { stage, input } = this.#options;
    if (input.channel !== 'phone-sms') {
      await postMessage(this.#as(stage.member), { chatId: this.#chatId, content: text });
      return;
    }
    await receiveSms(this.#context, {
      carrierMessageId: `simulated-${randomUUID()}`,
      from: stage.memberPhone,
      to: stage.number.number,
      body: text,
    });
  }

  #assignmentTaskId(name: string): number {
    const found = this.#tasks.filter((task) => task.name === name);
    if (found.length > 1) throw this.#unused('several tasks have this name', '/select/task');
    const row = this.#state.tasks.find(({ taskId }) => taskId === found[0]?.id);
    if (row === undefined) throw this.#unused('there is no task of this name', '/select/task');
    return row.id;
  }

  /** The run that answers selections and cancellations at once. */
  #runs(): AssignmentRuns {
    return {
      selectTask: async ({ workspaceId, assignmentId }, { answerBy: _, ...request }) =>
        (await selectTask(this.#context, { workspaceId, assignmentId, ...request })).answer,
      cancelAssignment: async ({ workspaceId, assignmentId }, request) => {
        await cancelAssignment(this.#context, { workspaceId, assignmentId, ...request });
      },
    };
  }

  async #moveClock(text: string): Promise<void> {
    const { clock } = this.#options;
    const target = this.#targetOf(text);
    for (let timers = 0; ; timers += 1) {
      const next = this.#nextTime;
      if (next === undefined || next > target || this.#state.assignment.status !== 'active') break;
      if (timers >= maxTimersInStep) throw this.#unused(`more than ${maxTimersInStep} timers come`);
      // A time that has come already cannot be what the walk waits for, unless nothing moves it.
      if (next <= clock.now() && timers > 0) break;
      clock.moveTo(next);
      await this.#settle();
    }
    clock.moveTo(target);
  }

  #targetOf(text: string): Date {
    const { clock, timezone } = this.#options;
    if (text === 'next') {
      const until = this.#nextTime;
      if (until === undefined) throw this.#unused('nothing waits for a time', '/clock');
      return until;
    }
    if (checkDuration(text).ok) return addDuration(clock.now(), text, timezone);
    const moment = readMoment(text, timezone);
    if (moment === undefined) throw this.#unused('must be next, a duration such as P1D, or a time', '/clock');
    if (moment < clock.now()) throw this.#unused('must not be in the past of the walk', '/clock');
    return moment;
  }

  #takeCarriers(): void {
    for (;;) {
      const { carrier, phone } = this.#script[this.#next] ?? {};
      if (carrier === undefined && phone === undefined) return;
      if (carrier !== undefined) this.#carrier = carrier;
      if (phone !== undefined) this.#options.phone.outcome = phone.outcome;
      this.#pass();
    }
  }

  async #observe(): Promise<void> {
    const { stage, clock, deadline } = this.#options;
    deadline.check();
    const { news, state } = await this.#context.db.inWorkspace(stage.workspaceId, (tx) =>
      this.#observer.read(tx, clock.now()),
    );
    this.#state = state;
    this.#tell(news);
  }

  #tell(news: readonly Observed[]): void {
    for (const { taskId, ...happening } of news) {
      const entry: Entry = {
        ...(happening as Happening),
        at: this.#options.clock.now(),
        ...(this.#step === undefined ? {} : { step: this.#step }),
        task: taskId === null ? this.#currentTask() : this.#nameOf(taskId),
      };
      this.#entries.push(entry);
      this.#options.onEntry?.(entry);
    }
    checkSize(this.#entries);
  }

  #nameOf(taskId: number | undefined): string | null {
    return this.#tasks.find(({ id }) => id === taskId)?.name ?? null;
  }

  #currentTask(): string | null {
    const { assignment, tasks } = this.#state;
    return this.#nameOf(tasks.find(({ id }) => id === assignment.currentTaskId)?.taskId);
  }

  #as(actor: Actor): CommandContext {
    return { ...this.#context, actor };
  }

  /** A step of the script, by default the one in progress, cannot be taken. */
  #unused(why: string, place = '', index = this.#step): InvalidInput {
    return InvalidInput.field(`/script/${index}${place}`, `is not used: ${why}`, 'step_not_used');
  }

  #result(): Simulation {
    const { assignment, chat } = this.#state;
    const task = this.#currentTask() ?? '';
    return {
      entries: this.#entries,
      status: assignment.status,
      outcome: assignment.outcome,
      outcomeReason: assignment.outcomeReason,
      currentTask: task,
      needsResponse: chat.needsResponse,
      needsResponseReason: chat.needsResponseReason,
      ...(assignment.status === 'active' && this.#waitsFor ? { waitsFor: { task, ...this.#waitsFor } } : {}),
      endsAt: this.#options.clock.now(),
      script: this.#taken,
    };
  }
}

function dateOf(time: number | null | undefined): Date | undefined {
  return time === null || time === undefined ? undefined : new Date(time);
}

/** What a person is refused is a part of the walk; what is wrong with the script is not. */
function isRefusal({ kind, code }: DomainError): boolean {
  return code !== 'step_not_used' && ['invalid', 'forbidden', 'conflict', 'not_found'].includes(kind);
}
