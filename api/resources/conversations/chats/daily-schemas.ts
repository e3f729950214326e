import Type from 'typebox';
import { DateOnly } from '../../../http/schemas.js';
import { chatFilters } from './schemas.js';

export const DailyChatsQuery = Type.Object({
  from: Type.Optional(DateOnly),
  to: Type.Optional(DateOnly),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Time zone that determines the days, by its IANA name, for example Europe/Paris; by default that of the workspace',
    }),
  ),
  channel: chatFilters.channel,
  isTest: chatFilters.isTest,
});

const chatsOfChannel = Type.Integer({
  minimum: 0,
  description: 'How many chats of this channel were created',
});
const ChannelCounts = Type.Object(
  {
    'web-chat': chatsOfChannel,
    'phone-sms': chatsOfChannel,
    'phone-voice': chatsOfChannel,
    email: chatsOfChannel,
  },
  { description: 'How many of them there are on each channel' },
);

export const DailyChatsResponse = Type.Object(
  {
    timezone: Type.String({ description: 'The time zone that determines the days' }),
    total: Type.Integer({ minimum: 0 }),
    byChannel: ChannelCounts,
    days: Type.Array(
      Type.Object({ date: DateOnly, count: Type.Integer({ minimum: 0 }), byChannel: ChannelCounts }),
    ),
  },
  { $id: 'DailyChatsResponse' },
);
