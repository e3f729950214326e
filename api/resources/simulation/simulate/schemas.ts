import Type from 'typebox';
import { entryKinds } from '../../../../domain/simulation/entries.js';
import { SimulationInput } from '../../../../domain/simulation/script.js';
import { OneOf, Timestamp } from '../../../http/schemas.js';

export const SimulateRevisionRequest = Type.Object(
  {
    ...SimulationInput.properties,
    model: Type.Optional(
      OneOf(['scripted', 'configured'], {
        default: 'scripted',
        description:
          'scripted: the script holds the answers of the agent. configured: the model gives those that the script lacks, its usage counts towards the budget of the workspace, and the permission workflows:write is needed',
      }),
    ),
  },
  {
    $id: 'SimulateRevisionRequest',
    examples: [
      {
        channel: 'web-chat',
        startsAt: '2030-01-07T09:00:00Z',
        member: { name: 'Robin Sample', locale: 'en-US' },
        script: [],
      },
    ],
  },
);

const text = (description: string) => Type.Optional(Type.String({ description }));

const EntryResponse = Type.Object(
  {
    at: Timestamp,
    kind: OneOf(entryKinds, { description: 'What happened' }),
    step: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The index of the step of the script after which it happened; absent before the first',
      }),
    ),
    task: Type.Optional(
      Type.String({ description: 'The name of the task concerned, or of the current one' }),
    ),
    by: text('entered: agent, member, operator or automatic'),
    from: text(
      'message: member, agent, operator, task (a text of the definition), service (answer to a keyword) or note (for colleagues only)',
    ),
    text: text('The message, the instructions of a follow-up, or a sentence about the refusal or the reason'),
    suggestions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'message: answers that the member is shown to choose from',
      }),
    ),
    tool: text('tool: its name'),
    arguments: text('tool: JSON as the agent wrote it'),
    result: text('tool: JSON as the agent gets it'),
    until: Type.Optional(Timestamp),
    status: text('delivery: delivered, failed or tried_again. concluded: completed, cancelled or failed'),
    outcome: text('concluded: the outcome'),
    reason: text('A code; concluded: the reason of the outcome'),
  },
  { $id: 'SimulationEntry' },
);

export const SimulationResponse = Type.Object(
  {
    entries: Type.Array(EntryResponse, { description: 'The walk, in order' }),
    status: OneOf(['active', 'completed', 'cancelled', 'failed']),
    currentTask: Type.String({ description: 'The name of the task in which the walk ends' }),
    outcome: Type.Optional(Type.String()),
    outcomeReason: Type.Optional(Type.String()),
    needsResponse: Type.Boolean({ description: 'Whether the chat waits for a person of the organisation' }),
    needsResponseReason: Type.Optional(Type.String()),
    waitsFor: Type.Optional(
      Type.Object(
        {
          task: Type.String(),
          what: Type.String({ description: 'A sentence such as "waits for the member"' }),
          until: Type.Optional(Timestamp),
        },
        { description: 'What the walk waits for at its end; absent once the assignment has ended' },
      ),
    ),
    endsAt: Timestamp,
    script: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description:
        'The steps taken, with the answers that the model gave, as far as a script has room for them. Sent with further steps at its end, it goes on from here, and the model is asked only for what follows',
    }),
  },
  { $id: 'SimulationResponse' },
);
