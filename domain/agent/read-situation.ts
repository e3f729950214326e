import { findAssignmentOfChat } from '../../db/assignments/assignments.js';
import { findOpenCall } from '../../db/calls/phone-calls.js';
import { type AssistantRow, findAssistantForChat } from '../../db/conversations/assistants.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import { allDataTypes } from '../../db/records/data-types.js';
import type { Tx } from '../../db/tx.js';
import { celContextOf } from '../assignments/machine/cel-context.js';
import { collectionOf } from '../assignments/machine/collected.js';
import { assemble, currentTask, type Machine } from '../assignments/machine/machine.js';
import { offeredTasks } from '../assignments/machine/offered-tasks.js';
import { withoutPerson } from '../assignments/machine/told-context.js';
import { identityOfCaller, isWithheldFrom } from '../calls/identity/caller-identity.js';
import { inheritedAbilities } from '../definitions/task-tree/inherited-abilities.js';
import { realtimeConfigOf } from '../definitions/task-tree/realtime-config.js';
import type { TaskNode } from '../definitions/task-tree/types.js';
import { type CallerQuestion, callerQuestions } from '../definitions/voice-identity/caller-questions.js';
import { filesToOffer, type OfferedFile, type Sendable } from '../files/attachments/sendable-files.js';
import type { SendFilesConfig } from '../kernel/ability-configs.js';
import { mayBeReadByAnother } from '../kernel/who-else-reads.js';
import type { CelContext } from '../lib/cel.js';
import { type Hearing, hearerOf } from './hearer.js';
import { buildTools, describeChoice } from './offer-tools.js';
import { offeredRemoteTools } from './remote-tools/offered-remote-tools.js';
import { answersToChoose } from './suggestions.js';
import type { ToolDefinition, ToolSituation } from './tools/tool.js';

/** What the agent's prompt and tools are built from. */
export interface Situation extends TaskSituation, Hearing {
  now: Date;
  assistant: AssistantRow | null;
  /** The active assignment, if any. */
  machine: Machine | undefined;
  tools: ToolDefinition[];
  /** Answers that the member may choose from. */
  suggestions: string[];
  /** Whether the model may propose them instead. */
  mayPropose: boolean;
  /** What is asked of a caller who has not proved yet who they are. */
  questions: CallerQuestion[];
}

/** A caller that goes on to change something must already hold the chat's row lock. */
export async function readSituation(tx: Tx, chat: ChatRow, now: Date, locked?: Machine): Promise<Situation> {
  const machine = locked ?? (await activeMachine(tx, chat, now));
  const assistant = await findAssistantForChat(tx, chat);
  const dataTypes = await allDataTypes(tx);
  const call = await findOpenCall(tx, chat.id);
  const identity = call && (await identityOfCaller(tx, chat, call));
  const isWithheld =
    call !== undefined && identity !== undefined
      ? await isWithheldFrom(tx, chat, call, identity)
      : await mayBeReadByAnother(tx, chat);
  const questions = identity?.kind === 'asked' ? callerQuestions(identity.settings.questions, dataTypes) : [];
  const found = machine === undefined ? freeConversation : await readTask(machine, isWithheld);
  const hearing = { tx, chat, call, identity, isWithheld };
  const files = isWithheld ? [] : await offeredFiles(hearing, machine, found.abilities);
  const offers = offersAnswers(chat, found);
  const suggestions = offers ? answersToChoose(found) : [];
  const mayPropose = offers && suggestions.length === 0;
  const mayEmail = chat.channel !== 'email';
  const onCall = call !== undefined;
  const remoteTools = onCall ? [] : await offeredRemoteTools(tx, found.abilities);
  const offered = { dataTypes, files, remoteTools, mayPropose, mayEmail, onCall, questions };
  const tools = buildTools({ ...found, ...offered });
  const caller = { call, identity, questions, isWithheld };
  return { tx, now, chat, assistant, machine, ...found, tools, suggestions, mayPropose, ...caller };
}

/** In a web chat alone, whose page shows them as buttons: elsewhere they would be more text to read. */
function offersAnswers({ channel }: ChatRow, { abilities }: Pick<TaskSituation, 'abilities'>): boolean {
  if (channel !== 'web-chat') return false;
  return abilities.some(({ ability }) => ability.abilityType === 'suggest_answers');
}

async function offeredFiles(
  hearing: Hearing,
  machine: Machine | undefined,
  abilities: ToolSituation['abilities'],
): Promise<OfferedFile[]> {
  const sending = abilities.find(({ ability }) => ability.abilityType === 'send_files');
  if (sending === undefined) return [];
  const config = sending.ability.config as SendFilesConfig;
  const { readsWorkspace } = await hearerOf(hearing, 'agent', config);
  return filesToOffer(hearing.tx, { ...placeOf(hearing.chat, machine), readsWorkspace }, config.folderPath);
}

/** Where the agent sends files. */
export function placeOf(chat: ChatRow, machine: Machine | undefined): Omit<Sendable, 'readsWorkspace'> {
  return { memberId: chat.memberId, chatId: chat.id, assignmentId: machine?.assignment.id ?? null };
}

interface TaskSituation extends Omit<ToolSituation, 'dataTypes' | 'files' | 'questions'> {
  /** Of expressions; undefined without an assignment. */
  context: CelContext | undefined;
  /** The same for texts that the agent is told, who may repeat them to the caller. */
  told: CelContext | undefined;
  /** Names of required tasks that were skipped; empty until the current task is complete. */
  remainingRequired: string[];
  /** How the agent listens and speaks in calls, as far as the definition says. */
  realtimeModelConfig: Record<string, unknown>;
}

async function readTask(machine: Machine, isWithheld: boolean): Promise<TaskSituation> {
  const task = currentTask(machine);
  const context = await celContextOf(machine);
  const told = isWithheld ? withoutPerson(context) : context;
  const collects = task.taskType === 'collect' ? await collectionOf(machine, task) : undefined;
  const { children, remaining } = offeredTasks(machine, context);
  return {
    task,
    context,
    told,
    choices: [...children, ...remaining].map((choice) => describeChoice(choice, told)),
    abilities: inheritedAbilities(machine.tree, task, context),
    collects,
    remainingRequired: remaining.map(({ name }) => name),
    realtimeModelConfig: realtimeConfigOf(machine.tree, task),
  };
}

async function activeMachine(tx: Tx, chat: ChatRow, now: Date): Promise<Machine | undefined> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  return assignment?.status === 'active' ? assemble(tx, now, chat, assignment) : undefined;
}

const ability = (id: number, abilityType: string) => ({
  id,
  uuid: `00000000-0000-4000-8000-00000000000${id}`,
  abilityType,
  config: {},
  enabled: true,
  celCondition: null,
});

/** The task of a chat without a workflow: the agent follows only the instructions of its assistant. */
const conversation: TaskNode = {
  id: 0,
  uuid: '00000000-0000-4000-8000-000000000000',
  parentId: null,
  name: 'Conversation',
  taskType: 'conversation',
  prompt: 'Answer the member. Hand over to a person when you cannot help.',
  shortPrompt: null,
  choicePrompt: null,
  description: null,
  configuration: {},
  celGuard: null,
  celCondition: null,
  afterCall: null,
  realtimeModelConfig: null,
  autoNext: false,
  required: false,
  order: 0,
  abilities: [ability(1, 'handoff'), ability(2, 'schedule_follow_up')],
};

const freeConversation: TaskSituation = {
  task: conversation,
  context: undefined,
  told: undefined,
  choices: [],
  abilities: conversation.abilities.map((ability) => ({ ability, task: conversation })),
  collects: undefined,
  remainingRequired: [],
  realtimeModelConfig: {},
};
