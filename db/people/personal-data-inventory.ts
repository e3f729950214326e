import type { PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { MemberModel } from './models/member.js';
import { MemberImportModel } from './models/member-import.js';
import { MemberLabelLinkModel, MemberLabelModel } from './models/member-label.js';
import { MemberRoleModel } from './models/member-role.js';
import { UnprovedIdentifierModel } from './models/unproved-identifier.js';

/** What the tables of this area hold of a person. */
export const peopleTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: MemberModel,
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
          locale: 'null',
          notify_email: 'false',
          notify_sms: 'false',
          notify_voice: 'false',
          sms_opted_out_at: 'null',
        },
        kept: 'The id of the member, so that histories say that one and the same person acted.',
      },
    },
    {
      model: MemberLabelLinkModel,
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
    {
      model: MemberImportModel,
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
    {
      model: UnprovedIdentifierModel,
      about: 't.member_id = :member',
      exported: { file: 'unproved-addresses' },
      erased: { by: 'delete' },
    },
  ],
  others: [MemberLabelModel, MemberRoleModel],
};
