import { column, tenantTable } from '../../lib/table.js';

/** Sums of calls of models. */
const sums = {
  calls: column<number>(),
  promptTokens: column<number>(),
  completionTokens: column<number>(),
  cachedTokens: column<number>(),
  audioInputTokens: column<number>(),
  audioOutputTokens: column<number>(),
  totalTokens: column<number>(),
  credits: column<number>('number'),
};

/** The usage of a model by a workflow on a day. */
export class UsageDayModel extends tenantTable('usage_days', {
  /** `YYYY-MM-DD`, in the time zone of the workspace. */
  day: column<string>('number'),
  definitionId: column<number | null>(),
  modelId: column<string>('code'),
  ...sums,
}) {}

/** The usage of a member in a month. */
export class MemberUsageMonthModel extends tenantTable('member_usage_months', {
  /** `YYYY-MM` */
  month: column<string>('number'),
  memberId: column<number>(),
  ...sums,
}) {}

/** The usage of the whole workspace on a day. */
export class TokenUsageDayModel extends tenantTable('token_usage_days', {
  /** `YYYY-MM-DD`, UTC. */
  day: column<string>('number'),
  totalTokens: column<number>(),
  credits: column<number>('number'),
}) {}
