import { ownChats, type PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { CreditBudgetModel, CreditMonthModel } from './models/credit-budget.js';
import { OpenModelCallModel } from './models/open-model-call.js';
import { TokenUsageModel } from './models/token-usage.js';
import { ToolRequestModel } from './models/tool-request.js';
import { MemberUsageMonthModel, TokenUsageDayModel, UsageDayModel } from './models/usage-day.js';

/** What the tables of this area hold of a person. */
export const agentTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: TokenUsageModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { file: 'token-usage', internal: true },
      erased: { by: 'keep', kept: 'What calls of models cost, for billing: numbers by chat.' },
    },
    {
      model: OpenModelCallModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { not: 'They become rows of token-usage within minutes.' },
      erased: { by: 'keep', kept: 'Calls of models that have begun, for some minutes: numbers by chat.' },
    },
    {
      model: ToolRequestModel,
      about: `t.chat_id in (${ownChats})`,
      exported: { not: 'What was requested and answered is among the messages; these are codes, for a day.' },
      erased: { by: 'delete' },
    },
    {
      model: MemberUsageMonthModel,
      about: 't.member_id = :member',
      exported: { file: 'usage-by-month', internal: true },
      erased: { by: 'keep', kept: 'What calls of models cost, for billing: numbers by month.' },
    },
  ],
  others: [UsageDayModel, CreditMonthModel, CreditBudgetModel, TokenUsageDayModel],
};
