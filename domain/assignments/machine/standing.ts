import { findDeliveryOfMessage } from '../../../db/channels/deliveries.js';
import { findMessage } from '../../../db/conversations/messages.js';
import { findDataTypeBySlug } from '../../../db/records/data-types.js';
import { heldUntil } from '../../chat-state/held-turn.js';
import { awaitedEvents } from '../../definitions/task-tree/awaited-events.js';
import { inheritedAbilities } from '../../definitions/task-tree/inherited-abilities.js';
import { missingRequired } from '../../definitions/task-tree/transitions.js';
import { ancestorsOf, childrenOf } from '../../definitions/task-tree/tree.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import { agentIsDue } from '../../kernel/agent-due.js';
import type { NeedsResponseReason } from '../../kernel/alert-colleague.js';
import { isOverBudget } from '../../lib/cel.js';
import { celContextOf } from './cel-context.js';
import { type Machine, rowOf } from './machine.js';
import { offeredTasks } from './offered-tasks.js';
import { isToBeSpoken } from './spoken.js';
import type { WaitConfiguration } from './waiting.js';

/** What can move an assignment on from its current task, while no turn of the agent is due. */
interface Prospects {
  taskType: TaskNode['taskType'];
  isCompleted: boolean;
  /** Of a wait: the time, and what else it waits for. A collect may have a time limit. */
  hasDueTime?: boolean;
  /** Of a wait: why its time never comes, or its condition cannot be evaluated. */
  hindrance?: (typeof hindrances)[number] | undefined;
  awaited?: string | undefined;
  /** Of a message: whether its delivery is under way. */
  isBeingSent?: boolean;
  /** Of a message: whether it was to be spoken in a call that has ended. */
  isUnspoken?: boolean;
  /** Of a call: whether it cannot be placed. */
  isRefused?: boolean;
  /** Of a task in which the agent speaks, or that is completed. */
  whenMemberWrites?: WhenMemberWrites;
}

/** What the agent can do once the member writes: to talk alone moves nothing. */
type WhenMemberWrites =
  | 'moves_on'
  | Extract<
      NeedsResponseReason,
      'no_way_on' | 'no_choice_holds' | 'required_unreachable' | 'nothing_to_collect' | 'expression_failed'
    >;

/** `reason`: nothing can move the assignment, and why; absent if something can. */
interface Standing {
  state: string;
  reason?: NeedsResponseReason;
  /** The assignment rests, or a person has it: whether it stands is decided when that ends. */
  isSuspended?: true;
}

/** Decides whether anything can move the assignment, and says what it waits for, for operators. */
function standingOf(prospects: Prospects): Standing {
  const { taskType, isCompleted, whenMemberWrites } = prospects;
  if (whenMemberWrites !== undefined && whenMemberWrites !== 'moves_on') return stands(whenMemberWrites);
  if (isCompleted && taskType !== 'conversation') {
    return { state: 'completed, waits for a message or a select' };
  }
  if (taskType === 'wait') return waiting(prospects);
  if (taskType === 'message' && prospects.isBeingSent !== true) {
    return stands(prospects.isUnspoken === true ? 'call_ended' : 'delivery_failed');
  }
  if (taskType === 'call' && prospects.isRefused === true) return stands('call_not_placed');
  const { hasDueTime } = prospects;
  return { state: `${waitingFor[taskType]}${hasDueTime === true ? ', or for the time to come' : ''}` };
}

function waiting({ hasDueTime, awaited, hindrance }: Prospects): Standing {
  if (hindrance !== undefined) {
    if (hasDueTime !== true) return stands(hindrance);
    return { reason: hindrance, state: `${reasons[hindrance]}; waits for the time to come` };
  }
  if (awaited === undefined) return { state: 'waits for the time to come' };
  return { state: `waits for ${awaited}${hasDueTime === true ? ', or for the time to come' : ''}` };
}

function stands(reason: keyof typeof reasons): Standing {
  const isOfData = reason === 'no_choice_holds' || reason === 'required_unreachable';
  const change = isOfData ? ', a change of the member or its records,' : '';
  return { reason, state: `${reasons[reason]}; waits for a select${change} or the end of the assignment` };
}

const reasons = {
  no_way_on: 'nothing leads on from it',
  no_choice_holds: 'the conditions of all tasks that could come next are false',
  required_unreachable: 'required tasks remain, and their conditions are false',
  nothing_to_collect: 'the data type that it collects was deleted',
  expression_failed: 'its condition, or those of the next tasks, cannot be evaluated',
  unreadable_time: 'its time cannot be read',
  time_out_of_range: 'its time is too far away',
  delivery_failed: 'its message could not be delivered',
  call_ended: 'its call ended before its message was spoken',
  call_not_placed: 'its call could not be placed',
} as const satisfies Partial<Record<NeedsResponseReason, string>>;

const waitingFor: Record<Exclude<TaskNode['taskType'], 'wait'>, string> = {
  conversation: 'waits for the member',
  collect: 'waits for the member',
  message: 'waits for the message to be sent',
  decision: 'waits for a condition to hold',
  call: 'waits for the call to end, or to be placed again',
  handoff: 'waits for a person',
  conclude: 'concludes',
};

export const whileDisabled = 'the member is disabled, rests until it is enabled';
export const whileHeld = {
  workflow: 'the workflow is held, rests until it is resumed',
  workspace: 'the workspace is held, rests until the hold ends',
} as const;

/** What an assignment waits for in its current task, while no turn of the agent may begin. */
export async function readStanding(
  machine: Machine,
  task: TaskNode,
  hasFollowUp: boolean,
): Promise<Standing> {
  const { chat } = machine;
  if (chat.archived) return suspended('archived, rests until the chat is opened again');
  if (chat.agentStoppedReason !== null) return suspended(`the agent is stopped: ${chat.agentStoppedReason}`);
  if (heldUntil(chat, machine.now) !== undefined) return suspended('waits for the model to be usable again');
  if (agentIsDue(chat)) return suspended('the agent answers');
  if (chat.paused) return suspended('paused, a person has it');
  const standing = standingOf(await prospectsOf(machine, task));
  if (standing.reason !== undefined) {
    return hasFollowUp ? { state: 'waits for a follow-up to be due' } : standing;
  }
  if (chat.needsResponseReason !== 'superseded') return standing;
  return { state: `${standing.state}; a newer SMS chat takes the replies` };
}

function suspended(state: string): Standing {
  return { state, isSuspended: true };
}

/** Reads what `standingOf` needs. Expressions are evaluated only where the tree alone does not show a way on. */
async function prospectsOf(machine: Machine, task: TaskNode): Promise<Prospects> {
  const { taskType } = task;
  const row = rowOf(machine, task);
  const isCompleted = row.completedAt !== null;
  if (isCompleted || taskType === 'conversation' || taskType === 'collect') {
    const hasDueTime = row.dueAt !== null;
    const writes = await whenMemberWrites(machine, task, isCompleted);
    return { taskType, isCompleted, hasDueTime, whenMemberWrites: writes };
  }
  if (taskType === 'decision') return { taskType, isCompleted, whenMemberWrites: await undecided(machine) };
  if (taskType === 'wait') {
    const hasDueTime = row.dueAt !== null;
    const awaited = awaitedBy(task);
    const hindrance = hindranceOf(machine, hasDueTime || awaited !== undefined);
    return { taskType, isCompleted, hasDueTime, awaited, hindrance };
  }
  if (taskType === 'call') {
    return { taskType, isCompleted, isRefused: machine.chat.standingReason === 'call_not_placed' };
  }
  if (taskType === 'message' && row.messageId !== null) {
    return { taskType, isCompleted, ...(await sendingOf(machine, row.messageId)) };
  }
  return { taskType, isCompleted };
}

async function sendingOf(
  machine: Machine,
  messageId: number,
): Promise<Pick<Prospects, 'isBeingSent' | 'isUnspoken'>> {
  const delivery = await findDeliveryOfMessage(machine.tx, messageId);
  if (delivery !== undefined) return { isBeingSent: delivery.state !== 'failed' };
  const message = await findMessage(machine.tx, messageId);
  if (message === undefined) return { isBeingSent: false };
  return { isBeingSent: await isToBeSpoken(machine, message), isUnspoken: message.callId !== null };
}

/** As `waiting.ts` notes it. */
function hindranceOf({ chat }: Machine, waitsForMore: boolean): Prospects['hindrance'] {
  const noted = hindrances.find((reason) => reason === chat.standingReason);
  if (noted !== undefined || waitsForMore) return noted;
  // Earlier releases noted the reason of the call alone.
  return chat.needsResponseReason === 'time_out_of_range' ? 'time_out_of_range' : 'unreadable_time';
}

const hindrances = ['unreadable_time', 'time_out_of_range', 'expression_failed'] as const;

/** What a wait waits for besides a time, in words; undefined if that is nothing. */
function awaitedBy(task: TaskNode): string | undefined {
  const { condition, event, unlessReply } = task.configuration as WaitConfiguration;
  const awaited = [
    ...(condition === undefined ? [] : ['its condition to hold']),
    ...(event === undefined ? [] : [awaitedEvents[event]]),
    ...(unlessReply === true ? ['a reply of the member'] : []),
  ];
  return awaited.length === 0 ? undefined : awaited.join(' or for ');
}

/** Why a decision is not complete: the step before has found no child that may be entered. */
async function undecided(machine: Machine): Promise<'expression_failed' | 'no_choice_holds'> {
  const context = await celContextOf(machine);
  offeredTasks(machine, context);
  return isOverBudget(context) ? 'expression_failed' : 'no_choice_holds';
}

async function whenMemberWrites(
  machine: Machine,
  task: TaskNode,
  isCompleted: boolean,
): Promise<WhenMemberWrites> {
  if (leadsOnByItself(machine, task, isCompleted)) return 'moves_on';
  if (task.taskType === 'collect' && !isCompleted) {
    const dataType = await findDataTypeBySlug(machine.tx, String(task.configuration.dataTypeSlug));
    if (dataType !== undefined) return 'moves_on';
  }
  const { tree, rows } = machine;
  const context = await celContextOf(machine);
  const { children, remaining } = offeredTasks(machine, context);
  const inForce = inheritedAbilities(tree, task, context).map(({ ability }) => ability.abilityType);
  const withheld = childrenOf(tree, task).length > 0;
  const required = isCompleted && missingRequired(tree, rows).length > 0;
  if (isOverBudget(context)) return 'expression_failed';
  if (children.length > 0 || remaining.length > 0) return 'moves_on';
  if (inForce.some((type) => ending.has(type))) return 'moves_on';
  // What the agent saves can make a condition true.
  if ((withheld || required) && inForce.includes('save_data')) return 'moves_on';
  if (task.taskType === 'collect' && !isCompleted) return 'nothing_to_collect';
  if (withheld) return 'no_choice_holds';
  return required ? 'required_unreachable' : 'no_way_on';
}

const ending: ReadonlySet<string> = new Set(['conclude', 'handoff']);

/** Whether a conversation has a way on that depends on no condition, so that no expression has to be evaluated. */
function leadsOnByItself({ tree }: Machine, task: TaskNode, isCompleted: boolean): boolean {
  if (isCompleted || task.taskType !== 'conversation') return false;
  if (task.autoNext) return true;
  const lineage = [...ancestorsOf(tree, task), task];
  const declared = lineage.flatMap(({ abilities }) => abilities);
  const nearest = new Map(declared.map((ability) => [ability.abilityType, ability]));
  const ends = [...nearest.values()].some(
    ({ abilityType, enabled, celCondition }) => ending.has(abilityType) && enabled && celCondition === null,
  );
  if (ends) return true;
  if (lineage.some(({ celGuard }) => celGuard !== null)) return false;
  return childrenOf(tree, task).some(
    ({ celGuard, celCondition }) => celGuard === null && celCondition === null,
  );
}
