import { addParticipant } from '../../../../domain/conversations/participants/add-participant.js';
import { listParticipants } from '../../../../domain/conversations/participants/list-participants.js';
import { removeParticipant } from '../../../../domain/conversations/participants/remove-participant.js';
import { updateParticipant } from '../../../../domain/conversations/participants/update-participant.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { presentParticipant } from '../chats/presenter.js';
import {
  AddParticipantRequest,
  AddParticipantResponse,
  ChatParticipant,
  ParticipantList,
  UpdateParticipantRequest,
} from './schemas.js';

const access = workspaceMember({ scope: 'chats:write', permission: 'chats:write' });

const participants = resource({
  tag: 'Chats',
  path: '/w/{workspace_uuid}/chats/{chat_id}/participants',
  read: access,
  write: access,
});

const list = participants.list({
  operationId: 'listChatParticipants',
  summary: 'List the participants of a chat',
  description:
    'In the order in which they joined, with the settings of assistants in this chat. The participants in a chat itself have no ids.',
  response: ParticipantList,
  handler: async ({ context, params }) => {
    const { chat, participants } = await listParticipants(context, params.chat_id);
    return participants.map((participant) => ({
      id: participant.id,
      ...presentParticipant(chat, participant, { withSettings: true }),
    }));
  },
});

const add = participants.create({
  operationId: 'addChatParticipant',
  audit: ['participant:added'],
  summary: 'Add a participant to a chat',
  description:
    'The member may read the chat with its files and write in it from then on. A participant does not answer as the agent: the assistant of the chat does. Needs the permission chats:read as well.',
  body: AddParticipantRequest,
  example: { body: { memberId: demo.memberToDisable }, once: true },
  response: AddParticipantResponse,
  errors: { 409: 'The chat is a direct chat (`direct_chat`).' },
  handler: async ({ context, params, body }) => {
    const id = await addParticipant(context, params.chat_id, body);
    return { status: 'success' as const, message: 'The participant was added.', id };
  },
});

const update = participants.update('/{participant_id}', {
  operationId: 'updateChatParticipant',
  audit: ['participant:updated'],
  summary: 'Change a participant of a chat',
  description:
    "The role of a participant, or what an assistant does differently in this chat. Instructions and models are in force from the assistant's next model request on. Here, in the list and for callers with chats:admin, the answers have the instructions and configurations; for others they are left out.",
  body: UpdateParticipantRequest,
  example: { body: { additionalInstructions: 'Offer a morning appointment first.' } },
  response: ChatParticipant,
  errors: { 409: 'The role of the member or the assistant of the chat is fixed (`participant_required`).' },
  handler: async ({ context, params, body }) => {
    const changed = await updateParticipant(context, params.chat_id, params.participant_id, body);
    return {
      id: changed.participant.id,
      ...presentParticipant(changed.chat, changed.participant, { withSettings: true }),
    };
  },
});

const remove = participants.remove('/{participant_id}', {
  operationId: 'removeChatParticipant',
  audit: ['participant:removed'],
  summary: 'Remove a participant from a chat',
  description:
    'Its messages stay. The member of the chat and the assistant that answers in it cannot be removed.',
  example: { params: { participant_id: demo.participantToRemove }, once: true },
  errors: { 409: 'The member or the assistant of the chat always takes part (`participant_required`).' },
  handler: async ({ context, params }) => removeParticipant(context, params.chat_id, params.participant_id),
});

export const participantRoutes = [list, add, update, remove];
