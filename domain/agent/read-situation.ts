import { findAssignmentOfChat } from '../../db/assignments/assignments.js';
import { findOpenCall } from '../../db/calls/phone-calls.js';
import { findAssistantForChat } from '../../db/conversations/assistants.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import { allDataTypes } from '../../db/records/data-types.js';
import type { Tx } from '../../db/tx.js';
import { assemble, type Machine } from '../assignments/machine/machine.js';
import { identityOfCaller, isWithheldFrom } from '../calls/identity/caller-identity.js';
import { callerQuestions } from '../definitions/voice-identity/caller-questions.js';
import { filesToOffer, type OfferedFile } from '../files/attachments/sendable-files.js';
import { mayBeReadByAnother } from '../kernel/who-else-reads.js';
import { type Hearing, sendableFor } from './hearer.js';
import { offerTools } from './offer-tools.js';
import { offeredRemoteTools } from './remote-tools/offered-remote-tools.js';
import type { Situation } from './situation.js';
import { answersToChoose } from './suggestions.js';
import { freeConversation, readTask, type TaskSituation } from './task-situation.js';
import { configOf } from './tools/config-of.js';
import type { OfferedTool } from './tools/tool.js';

/** A situation with the tools that are offered in it. */
export type OfferingSituation = Situation & { tools: OfferedTool[] };

/** A caller that goes on to change something must already hold the chat's row lock. */
export async function readSituation(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  locked?: Machine,
): Promise<OfferingSituation> {
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
  const ofTask = machine === undefined ? freeConversation : await readTask(machine, isWithheld);
  const hearing = { tx, chat, call, identity, isWithheld };
  const files = isWithheld ? [] : await offeredFiles(hearing, machine, ofTask);
  const offers = offersAnswers(chat, ofTask);
  const suggestions = offers ? answersToChoose(ofTask) : [];
  const onCall = call !== undefined;
  const situation: Situation = {
    now,
    assistant,
    machine,
    ...hearing,
    ...ofTask,
    dataTypes,
    files,
    remoteTools: onCall ? [] : await offeredRemoteTools(tx, ofTask),
    suggestions,
    mayPropose: offers && suggestions.length === 0,
    mayEmail: chat.channel !== 'email',
    onCall,
    questions,
  };
  return { ...situation, tools: offerTools(situation) };
}

/** In a web chat alone, whose page shows them as buttons: elsewhere they would be more text to read. */
function offersAnswers({ channel }: ChatRow, ofTask: TaskSituation): boolean {
  return channel === 'web-chat' && configOf(ofTask, 'suggest_answers') !== undefined;
}

async function offeredFiles(
  hearing: Hearing,
  machine: Machine | undefined,
  ofTask: TaskSituation,
): Promise<OfferedFile[]> {
  const config = configOf(ofTask, 'send_files');
  if (config === undefined) return [];
  return filesToOffer(
    hearing.tx,
    await sendableFor({ ...hearing, machine }, 'agent', config),
    config.folderPath,
  );
}

async function activeMachine(tx: Tx, chat: ChatRow, now: Date): Promise<Machine | undefined> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  return assignment?.status === 'active' ? assemble(tx, now, chat, assignment) : undefined;
}
