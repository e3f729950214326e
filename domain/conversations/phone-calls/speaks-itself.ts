import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { findParticipant } from '../../../db/conversations/participants.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { ModelCatalogue } from '../../kernel/ai-models/model-catalogue.js';
import { carrierLanguage } from '../../lib/locales.js';

/** Whether a realtime model can be had for the agent of a chat. Without one, the carrier writes down what is said and speaks. */
export async function speaksItself(tx: Tx, models: ModelCatalogue, chat: ChatRow): Promise<boolean> {
  const assistant = await findAssistantForChat(tx, chat);
  const here = assistant === null ? undefined : await findParticipant(tx, chat.id, assistant.memberId);
  const wishes = [here?.realtimeModelId, chat.realtimeModelId, assistant?.realtimeModelId];
  return models.chooseRealtimeModel(wishes) !== undefined;
}

/** The language in which the carrier speaks with a member, as `de-DE`; undefined: the carrier's usual one. */
export async function languageOf(tx: Tx, { memberId }: ChatRow): Promise<string | undefined> {
  const locale = (await findMember(tx, memberId))?.locale;
  return locale == null ? undefined : carrierLanguage(locale);
}
