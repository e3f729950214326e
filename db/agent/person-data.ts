import { ownChats, type PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const agentTables: PersonTables = {
  'public.token_usage': {
    rest: 'id workspace_id chat_id turn_uuid model_id prompt_tokens completion_tokens cached_tokens total_tokens credits created_at multiplier input_multiplier output_multiplier cached_multiplier call_id audio_input_tokens audio_output_tokens is_estimated speech_seconds',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'token-usage', internal: true },
    erased: { by: 'keep', kept: 'What calls of models cost, for billing: numbers by chat.' },
  },
  'public.open_model_calls': {
    rest: 'id workspace_id call_id chat_id member_id definition_id turn_uuid model_id prompt_tokens credits multiplier input_multiplier output_multiplier cached_multiplier begun_at',
    about: `t.chat_id in (${ownChats})`,
    exported: { not: 'They become rows of token-usage within minutes.' },
    erased: { by: 'keep', kept: 'Calls of models that have begun, for some minutes: numbers by chat.' },
  },
  'public.tool_requests': {
    rest: 'id workspace_id chat_id tool_call_id idempotency_key claim_token claimed_at attempts settled_at status_code failure_code',
    about: `t.chat_id in (${ownChats})`,
    exported: { not: 'What was requested and answered is among the messages; these are codes, for a day.' },
    erased: { by: 'delete' },
  },
  'public.member_usage_months': {
    rest: 'id workspace_id month member_id calls prompt_tokens completion_tokens cached_tokens audio_input_tokens audio_output_tokens total_tokens credits',
    about: 't.member_id = :member',
    exported: { file: 'usage-by-month', internal: true },
    erased: { by: 'keep', kept: 'What calls of models cost, for billing: numbers by month.' },
  },
  'public.usage_days': {
    rest: 'id workspace_id day definition_id model_id calls prompt_tokens completion_tokens cached_tokens audio_input_tokens audio_output_tokens total_tokens credits',
  },
  'public.credit_months': {
    rest: 'id workspace_id month credits warned_at used_up_at',
  },
  'public.credit_budgets': {
    rest: 'id workspace_id monthly_credits extra_usage_enabled updated_by_member_id updated_at',
  },
  'public.token_usage_days': {
    rest: 'id workspace_id day total_tokens credits',
  },
};
