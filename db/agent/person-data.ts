import { ownChats, type PersonTables, tableWithoutModel } from '../lib/person-data.js';
import { OpenModelCallModel } from './models/open-model-call.js';
import { TokenUsageModel } from './models/token-usage.js';
import { ToolRequestModel } from './models/tool-request.js';

/** What the tables of this area hold of a person. */
export const agentTables: PersonTables = {
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
      model: tableWithoutModel('member_usage_months', {
        number: 'month credits',
        other:
          'id workspace_id member_id calls prompt_tokens completion_tokens cached_tokens audio_input_tokens audio_output_tokens total_tokens',
      }),
      about: 't.member_id = :member',
      exported: { file: 'usage-by-month', internal: true },
      erased: { by: 'keep', kept: 'What calls of models cost, for billing: numbers by month.' },
    },
  ],
  others: [
    tableWithoutModel('usage_days', {
      code: 'model_id',
      number: 'day credits',
      other:
        'id workspace_id definition_id calls prompt_tokens completion_tokens cached_tokens audio_input_tokens audio_output_tokens total_tokens',
    }),
    tableWithoutModel('credit_months', {
      number: 'month credits',
      other: 'id workspace_id warned_at used_up_at',
    }),
    tableWithoutModel('credit_budgets', {
      number: 'monthly_credits',
      other: 'id workspace_id extra_usage_enabled updated_by_member_id updated_at',
    }),
    tableWithoutModel('token_usage_days', { number: 'day credits', other: 'id workspace_id total_tokens' }),
  ],
};
