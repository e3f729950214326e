import { chatLabels } from '../../../../domain/conversations/chat-labels/chat-labels.js';
import { labelRoutes } from '../../labels.js';

export const chatLabelRoutes = labelRoutes(
  chatLabels,
  'chats:read',
  'To assign labels to a chat, set labelIds in Change a chat.',
);
