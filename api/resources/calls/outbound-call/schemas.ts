import Type from 'typebox';
import { Id } from '../../../http/schemas.js';

export const PlaceCallRequest = Type.Object(
  {
    phoneNumberId: { ...Id, description: 'The phone number of the workspace to call from' },
    chatId: { ...Id, description: 'The chat, as in the path' },
  },
  { $id: 'PlaceCallRequest' },
);
