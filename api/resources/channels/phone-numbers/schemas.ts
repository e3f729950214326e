import Type from 'typebox';
import { Id, Name, Nullable, Page, PageQuery, Picked, Timestamp, Uuid } from '../../../http/schemas.js';
import { businessHours, SpokenText } from './business-hours.js';

const SegmentsPerSecond = Type.Number({
  minimum: 0.1,
  maximum: 1_000,
  description:
    'How many SMS segments are sent from the number in a second, as the carrier allows, of messages that answer nobody: reminders, follow-ups, first messages, messages sent later. Answers do not wait. null: 1',
});

const Greeting = SpokenText(
  'What a caller hears first, word by word. null: the agent greets in its own words',
);

export const PhoneNumberResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    number: Type.String({ description: 'The number in E.164, for example +12025550123' }),
    name: Type.String(),
    smsEnabled: Type.Boolean(),
    mmsEnabled: Type.Boolean(),
    voiceEnabled: Type.Boolean(),
    inboundWorkflowId: Nullable(Id),
    segmentsPerSecond: Nullable(SegmentsPerSecond),
    businessHours: Nullable(businessHours.ofNumber.shown),
    greeting: Nullable(Greeting),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'PhoneNumberResponse' },
);

export const PhoneNumberPage = Page(PhoneNumberResponse);

const name = Name();
const optionalFields = {
  smsEnabled: Type.Optional(
    Type.Boolean({ description: 'Whether the number is used for SMS. Default true' }),
  ),
  mmsEnabled: Type.Optional(
    Type.Boolean({
      description:
        'Whether files are sent from the number by MMS, which the carrier has in few countries. Default false',
    }),
  ),
  voiceEnabled: Type.Optional(
    Type.Boolean({ description: 'Whether the number is used for calls. Default true' }),
  ),
  inboundWorkflowId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'The workflow that is started for people who write or call in',
    }),
  ),
  segmentsPerSecond: Type.Optional(Nullable(SegmentsPerSecond)),
  businessHours: Type.Optional(Nullable(businessHours.ofNumber.given)),
  greeting: Type.Optional(Nullable(Greeting)),
};

export const CreatePhoneNumberRequest = Type.Object(
  {
    number: Type.String({
      minLength: 3,
      maxLength: 40,
      description: 'The number; E.164 is recommended. It is stored in E.164',
    }),
    name,
    ...optionalFields,
  },
  { $id: 'CreatePhoneNumberRequest' },
);

export const UpdatePhoneNumberRequest = Type.Object(
  { name: Type.Optional(name), ...optionalFields },
  { $id: 'UpdatePhoneNumberRequest' },
);

export const ListPhoneNumbersQuery = PageQuery(['name', 'number', 'createdAt', 'updatedAt'], {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of name or number' })),
});
