import Type from 'typebox';
import { dayRange, TimezoneOfDays } from '../../../http/day-range.js';
import { DateOnly, Nullable, Picked } from '../../../http/schemas.js';
import { chatFilters } from './schemas.js';

export const DailyChatsQuery = Type.Object({
  ...dayRange,
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
    timezone: TimezoneOfDays,
    total: Type.Integer({ minimum: 0 }),
    byChannel: ChannelCounts,
    days: Type.Array(
      Type.Object({ date: DateOnly, count: Type.Integer({ minimum: 0 }), byChannel: ChannelCounts }),
    ),
  },
  { $id: 'DailyChatsResponse' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const seconds = (description: string) =>
  Nullable(Type.Number({ minimum: 0, description: `${description}, in seconds; null: none was answered` }));

const AnswerCounts = Type.Object(
  {
    agent: count('Messages of the agent'),
    person: count('Messages of colleagues'),
  },
  { description: 'How many messages answered members in writing' },
);
const waits = Picked(
  {
    waits: count('How many began'),
    answered: count('How many of them have ended with an answer, also later than the day'),
    median: seconds('Half of those that were answered took no longer'),
    p90: seconds('Nine of ten that were answered took no longer'),
    longest: seconds('The longest that was answered'),
  },
  { description: 'How long members waited' },
);
export const DailyAnswersResponse = Type.Object(
  {
    timezone: TimezoneOfDays,
    answers: AnswerCounts,
    waits,
    days: Type.Array(Type.Object({ date: DateOnly, answers: AnswerCounts, waits })),
  },
  { $id: 'DailyAnswersResponse' },
);
