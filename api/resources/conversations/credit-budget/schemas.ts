import Type from 'typebox';
import { Nullable, Picked, Timestamp } from '../../../http/schemas.js';

const monthlyCredits = Nullable(
  Type.Number({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'The credits that agents may use in a month; null: as many as they need',
  }),
);
const extraUsageEnabled = Type.Boolean({
  description: 'Whether agents go on when the budget of the month is used up',
});

export const UpdateCreditBudgetRequest = Type.Object(
  { monthlyCredits: Type.Optional(monthlyCredits), extraUsageEnabled: Type.Optional(extraUsageEnabled) },
  { $id: 'UpdateCreditBudgetRequest' },
);

export const CreditBudgetResponse = Picked(
  {
    monthlyCredits,
    extraUsageEnabled,
    timezone: Type.String({ description: 'The time zone of the workspace, in which months begin' }),
    month: Type.String({ description: 'The current month as YYYY-MM' }),
    monthStartsAt: { ...Timestamp, description: 'When the current month began' },
    monthEndsAt: {
      ...Timestamp,
      description: 'When the next month begins, and agents that were stopped go on',
    },
    creditsUsed: Type.Number({ minimum: 0, description: 'What the calls of the month have cost' }),
    creditsReserved: Type.Number({
      minimum: 0,
      description: 'What calls that have begun cost at least; it counts until they are booked',
    }),
    creditsRemaining: Nullable(
      Type.Number({
        description: 'What is left of the budget; below zero where it was exceeded; null without a budget',
      }),
    ),
  },
  { $id: 'CreditBudgetResponse' },
);
