import Type from 'typebox';
import { mostCounted } from '../../../../db/conversations/overview.js';
import { Nullable, Picked, Time } from '../../../http/schemas.js';
import { WorkspaceHold } from '../../identity/workspace-hold/schemas.js';
import { CreditBudgetResponse } from '../credit-budget/schemas.js';

const count = (description: string) => Type.Integer({ minimum: 0, maximum: mostCounted, description });
const countFor = (permission: string, description: string) =>
  Type.Optional(count(`${description}. Absent without the permission ${permission}`));

const WaitingOverview = Picked(
  {
    total: count('How many wait, whatever colleagues do with them'),
    open: count('Those that nobody has claimed or put off'),
    mine: count('Those that the caller has claimed'),
    claimedByOthers: count('Those that colleagues have claimed'),
    snoozed: count('Those that are put off'),
    oldestWaitingSince: Nullable(
      Time({ description: 'Since when the first of them waits; null: none does' }),
    ),
  },
  { $id: 'WaitingOverview' },
);

const AssignmentOverview = Picked(
  {
    active: count('Assignments that go on'),
    standing: count('Those that nothing can move, so that a colleague was alerted: of the oldest of them'),
  },
  { $id: 'AssignmentOverview' },
);

export const OverviewResponse = Picked(
  {
    waitingChats: Type.Optional(
      Type.Object(WaitingOverview.properties, {
        description:
          'Chats that wait for a person, counted among those that have waited longest (listChatsThatNeedResponse). Absent without the permission chats:read',
      }),
    ),
    runningPhoneCalls: countFor('chats:read', 'Phone calls that have not ended'),
    failedMessages: countFor('chats:read', 'Messages of the last 24 hours that did not arrive'),
    assignments: Type.Optional(
      Type.Object(AssignmentOverview.properties, {
        description: 'Active assignments. Absent without the permission assignments:read',
      }),
    ),
    failingEventRules: countFor('event_rules:read', 'Event rules all of whose deliveries fail at present'),
    waitingDeliveries: countFor('event_rules:read', 'Deliveries of events that were not accepted yet'),
    heldWorkflows: Type.Optional(
      count('Workflows that are held by themselves. Absent for credentials without the scope workflows:read'),
    ),
    creditBudget: Type.Optional(
      Type.Object(CreditBudgetResponse.properties, {
        description:
          'What agents may use in this month, and have used. Absent without the permission workspace:read',
      }),
    ),
    hold: Type.Object(WorkspaceHold.properties, {
      description: 'Whether everything in the workspace is held',
    }),
  },
  { $id: 'OverviewResponse' },
);
