import Type from 'typebox';
import { Nullable, OneOf, Picked, Uuid } from '../../../http/schemas.js';

export const TransferTargets = Type.Object(
  {
    items: Type.Array(
      Picked(
        {
          name: Type.String({ description: 'The name by which the workflow knows the person' }),
          description: Type.Optional(Type.String({ description: 'When the agent transfers to the person' })),
        },
        { $id: 'TransferTarget' },
      ),
    ),
  },
  { $id: 'TransferTargets' },
);

export const TransferCallRequest = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The name of one of listTransferTargets',
    }),
    facts: Type.Optional(
      Type.String({
        maxLength: 300,
        description: 'What the person should know: it is read to them before they talk',
      }),
    ),
  },
  { $id: 'TransferCallRequest' },
);

const transferStates = ['requested', 'dialing', 'answered', 'busy', 'no-answer', 'failed'] as const;
const consents = ['told', 'asked', 'agreed', 'refused', 'unanswered', 'machine'] as const;

export const CallMarks = Type.Object(
  {
    recordedMs: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'The length of the recording in milliseconds; null: there is none',
      }),
    ),
    items: Type.Array(
      Type.Object(
        {
          kind: OneOf(['interruption', 'transfer', 'consent'], { description: 'What happened' }),
          offsetMs: Nullable(
            Type.Integer({
              minimum: 0,
              description:
                'When, in milliseconds from the beginning of the recording; null: it is not in the recording, or there is none',
            }),
          ),
          messageUuid: Type.Optional({ ...Uuid, description: 'The message that was interrupted' }),
          targetName: Type.Optional(Type.String({ description: 'To whom it was transferred' })),
          transferState: Type.Optional(OneOf(transferStates, { description: 'What became of the transfer' })),
          consent: Type.Optional(
            OneOf(consents, { description: 'What the other side said to being recorded' }),
          ),
        },
        { $id: 'CallMark' },
      ),
      { description: 'What was before the recording comes first' },
    ),
  },
  { $id: 'CallMarks' },
);
