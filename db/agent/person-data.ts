import { ownChats, type PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const agentTables: PersonTables = {
  'public.token_usage': {
    rest: 'id workspace_id chat_id turn_uuid model_id prompt_tokens completion_tokens cached_tokens total_tokens credits created_at multiplier input_multiplier output_multiplier cached_multiplier call_id',
    about: `t.chat_id in (${ownChats})`,
    exported: { file: 'token-usage', internal: true },
    erased: { by: 'keep', kept: 'What calls of models cost, for billing: numbers by chat.' },
  },
  'public.token_usage_days': {
    rest: 'id workspace_id day total_tokens credits',
  },
};
