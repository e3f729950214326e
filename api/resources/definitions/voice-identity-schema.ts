import Type from 'typebox';
import { memberQuestions } from '../../../domain/definitions/voice-identity/caller-questions.js';
import { identityTries } from '../../../domain/definitions/voice-identity/check-voice-identity.js';
import { OneOf } from '../../http/schemas.js';

const Slug = (description: string) => Type.String({ minLength: 1, maxLength: 63, description });

const Question = Type.Object(
  {
    memberField: Type.Optional(
      OneOf(Object.keys(memberQuestions) as (keyof typeof memberQuestions)[], {
        description: 'A property of the member',
      }),
    ),
    dataTypeSlug: Type.Optional(Slug('A data type, of which the newest record of the member counts')),
    fieldSlug: Type.Optional(
      Slug('A field of the data type: a text, number, date, email address, phone number or choice'),
    ),
  },
  { description: 'Either memberField, or dataTypeSlug and fieldSlug. Sensitive fields are entered by keys' },
);

/** How callers prove who they are. */
export const VoiceIdentity = (otherwise: string) =>
  Type.Object(
    {
      method: OneOf(['questions', 'none'], {
        description:
          'questions: the caller answers what is stored. none: the agent tells what is stored to every caller, who may show any number',
      }),
      questions: Type.Optional(
        Type.Array(Question, { minItems: 1, maxItems: 10, description: 'What the caller may be asked' }),
      ),
      required: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10,
          description: 'How many answers have to be right; 2 by default, or 1 if there is one question',
        }),
      ),
      triesPerCall: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 5,
          description: `How often the answers may be given in a call; ${identityTries.perCall} by default`,
        }),
      ),
      triesPerDay: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 20,
          description: `The same in all calls of a member within 24 hours; ${identityTries.perDay} by default. Beyond it callers are refused, and a colleague is alerted`,
        }),
      ),
    },
    {
      description: `How callers prove who they are before the agent reads records on the phone, and before it knows what was said in the chat. null: ${otherwise}`,
    },
  );
