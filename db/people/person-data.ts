import type { PersonTables } from '../lib/person-data.js';

/** What the tables of this area hold of a person. */
export const peopleTables: PersonTables = {
  'public.members': {
    personal: 'name email phone date_of_birth description external_id',
    rest: 'id workspace_id uuid kind member_role_id locale notify_email notify_sms notify_voice deleted_at created_at updated_at disabled_at sms_opted_out_at vouched_for',
    about: 't.id = :member',
    exported: {
      file: 'member',
      also: {
        roleName: `(select name from member_roles r where r.workspace_id = t.workspace_id and r.id = t.member_role_id)`,
      },
    },
    erased: {
      by: 'empty',
      columns: {
        name: 'null',
        email: 'null',
        phone: 'null',
        date_of_birth: 'null',
        description: 'null',
        external_id: 'null',
        locale: 'null',
        notify_email: 'false',
        notify_sms: 'false',
        notify_voice: 'false',
        sms_opted_out_at: 'null',
      },
      kept: 'The id of the member, so that histories say that one and the same person acted.',
    },
  },
  'public.member_label_links': {
    rest: 'id workspace_id member_id member_label_id created_at',
    about: 't.member_id = :member',
    exported: {
      file: 'member-labels',
      only: 'exists (select from member_labels l where l.id = t.member_label_id)',
      also: {
        labelName: `(select name from member_labels l where l.workspace_id = t.workspace_id and l.id = t.member_label_id)`,
      },
    },
    erased: { by: 'delete' },
  },
  'public.member_imports': {
    personal: 'errors columns_passed_over',
    configuration: 'layout',
    rest: 'id workspace_id uuid member_id credential_kind credential_id scopes object_id data_type_ids new_member_role_id blank_cells total rows_done created updated unchanged failed_rows created_members updated_members attempts state failure_reason finished_at created_at updated_at',
    about: 't.member_id = :member',
    exported: { file: 'member-imports', internal: true },
    erased: {
      by: 'empty',
      columns: {
        object_id: 'null',
        state: "case when t.state = 'running' then 'failed' else t.state end",
        failure_reason: "case when t.state = 'running' then 'member_erased' else t.failure_reason end",
        finished_at: 'coalesce(t.finished_at, now())',
        errors: "'[]'",
        columns_passed_over: "'[]'",
      },
      kept: 'Who imported a file of members, when, and what became of how many rows, for a day. The file itself is deleted.',
    },
  },
  'public.unproved_identifiers': {
    personal: 'address',
    rest: 'id workspace_id member_id channel created_at barred_at disputed_at',
    about: 't.member_id = :member',
    exported: { file: 'unproved-addresses' },
    erased: { by: 'delete' },
  },
  'public.member_labels': {
    configuration: 'name',
    rest: 'id workspace_id uuid slug color created_at updated_at',
  },
  'public.member_roles': {
    configuration: 'name',
    rest: 'id workspace_id use_admin manage_workspace permissions created_at updated_at',
  },
};
