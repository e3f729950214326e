import { addParticipant } from '../../../../domain/conversations/participants/add-participant.js';
import { listParticipants } from '../../../../domain/conversations/participants/list-participants.js';
import { removeParticipant } from '../../../../domain/conversations/participants/remove-participant.js';
import { updateParticipant } from '../../../../domain/conversations/participants/update-participant.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentParticipant } from '../chats/presenter.js';
import {
  AddParticipantRequest,
  AddParticipantResponse,
  ChatParticipant,
  ParticipantList,
  UpdateParticipantRequest,
} from './schemas.js';

const access = workspaceMember({ scope: 'chats:write', permission: 'chats:write' });

const list = defineRoute({
  operationId: 'listChatParticipants',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/participants',
  tag: 'Chats',
  summary: 'List the participants of a chat',
  description:
    'In the order in which they joined, with the settings of assistants in this chat. The participants in a chat itself have no ids.',
  access,
  response: { status: 200, schema: ParticipantList },
  handler: async ({ context, params }) => {
    const { chat, participants } = await listParticipants(context, params.chat_id);
    return participants.map((participant) => ({
      id: participant.id,
      ...presentParticipant(chat, participant, { withSettings: true }),
    }));
  },
});

const add = defineRoute({
  operationId: 'addChatParticipant',
  audit: ['participant:added'],
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/participants',
  tag: 'Chats',
  summary: 'Add a participant to a chat',
  description:
    'The member may read the chat with its files and write in it from then on. A participant does not answer as the agent: the assistant of the chat does. Needs the permission chats:read as well.',
  access,
  body: AddParticipantRequest,
  example: { body: { memberId: demo.memberToDisable }, once: true },
  response: { status: 201, schema: AddParticipantResponse },
  errors: { 409: 'The chat is a direct chat (`direct_chat`).' },
  handler: async ({ context, params, body }) => {
    const id = await addParticipant(context, params.chat_id, body);
    return { status: 'success' as const, message: 'The participant was added.', id };
  },
});

const update = defineRoute({
  operationId: 'updateChatParticipant',
  audit: ['participant:updated'],
  method: 'PUT',
  path: '/w/{workspace_uuid}/chats/{chat_id}/participants/{participant_id}',
  tag: 'Chats',
  summary: 'Change a participant of a chat',
  description:
    "The role of a participant, or what an assistant does differently in this chat. Instructions and models are in force from the assistant's next model request on. Here, in the list and for callers with chats:admin, the answers have the instructions and configurations; for others they are left out.",
  access,
  body: UpdateParticipantRequest,
  example: { body: { additionalInstructions: 'Offer a morning appointment first.' } },
  response: { status: 200, schema: ChatParticipant },
  errors: { 409: 'The role of the member or the assistant of the chat is fixed (`participant_required`).' },
  handler: async ({ context, params, body }) => {
    const changed = await updateParticipant(context, params.chat_id, params.participant_id, body);
    return {
      id: changed.participant.id,
      ...presentParticipant(changed.chat, changed.participant, { withSettings: true }),
    };
  },
});

const remove = defineRoute({
  operationId: 'removeChatParticipant',
  audit: ['participant:removed'],
  method: 'DELETE',
  path: '/w/{workspace_uuid}/chats/{chat_id}/participants/{participant_id}',
  tag: 'Chats',
  summary: 'Remove a participant from a chat',
  description:
    'Its messages stay. The member of the chat and the assistant that answers in it cannot be removed.',
  access,
  example: { params: { participant_id: demo.participantToRemove }, once: true },
  response: { status: 204 },
  errors: { 409: 'The member or the assistant of the chat always takes part (`participant_required`).' },
  handler: async ({ context, params }) => removeParticipant(context, params.chat_id, params.participant_id),
});

export const participantRoutes = [list, add, update, remove];
