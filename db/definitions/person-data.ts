import type { PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const definitionsTables: PersonTables = {
  'public.workflow_definitions': {
    configuration: 'name description held_reason voice_identity',
    rest: 'id workspace_id uuid active_revision_id default_phone_number_id assistant_member_id archived_at created_at updated_at held_at',
  },
  'public.workspace_holds': {
    configuration: 'reason',
    rest: 'id workspace_id held_at until held_by_member_id ended_at ended_by_member_id woken_list woken_after woken_at',
  },
  'public.workflow_revisions': {
    configuration: 'name',
    rest: 'id workspace_id uuid definition_id number published_at published_by_member_id created_at updated_at',
  },
  'public.workflow_tasks': {
    configuration:
      'name prompt short_prompt choice_prompt description configuration cel_guard cel_condition realtime_model_config',
    rest: 'id workspace_id uuid revision_id parent_id task_type after_call auto_next required sort_order created_at',
  },
  'public.workflow_task_abilities': {
    configuration: 'config cel_condition',
    rest: 'id workspace_id uuid task_id ability_type enabled',
  },
  'public.secrets': {
    configuration: 'name hosts',
    secret: 'ciphertext',
    rest: 'id workspace_id uuid changed_by_member_id value_changed_at refused_at created_at updated_at',
  },
  'public.mcp_servers': {
    configuration: 'name url',
    secret: 'token',
    rest: 'id workspace_id uuid enabled changed_by_member_id credential_changed_at refused_at unavailable_until refresh_began_at refreshed_at refresh_failure is_list_cut tools_changed_at created_at updated_at',
  },
  // What a remote server says of its tools.
  'public.mcp_tools': {
    configuration: 'name title description input_schema',
    rest: 'id workspace_id server_id is_read_only is_idempotent is_destructive digest problem gone_at allowed_digest approval allowed_by_member_id allowed_at created_at updated_at',
  },
  'public.workflow_definition_roles': {
    rest: 'id workspace_id definition_id member_role_id created_at',
  },
};
