import Type, { type Static } from 'typebox';
import { mostErrorsListed } from '../../../../domain/records/csv/import-tally.js';
import { columnsPassedOver, Id, neutralize, OneOf } from '../../../http/schemas.js';
import { memberFilters } from './schemas.js';

/** The fields that come with the file. */
export const ImportMembersForm = Type.Object({
  newMemberRoleId: Type.Optional(
    Type.Integer({ ...Id, description: 'The role of new members; the first non-admin one by default' }),
  ),
  blankCells: Type.Optional(
    OneOf(['keep', 'clear'], {
      description: 'What a blank cell does to the value there is: nothing (by default), or it empties it',
    }),
  ),
});

const Count = Type.Integer({ minimum: 0 });
const counts = {
  total: Count,
  success: Count,
  failed: Count,
  created: Count,
  updated: Count,
  unchanged: Count,
};

const MemberImportProgress = Type.Object(
  {
    type: Type.Literal('progress'),
    current: Type.Integer({ minimum: 0, description: 'Rows that were gone through' }),
    ...counts,
  },
  { $id: 'MemberImportProgress' },
);

const MemberImportResult = Type.Object(
  {
    type: Type.Literal('complete'),
    ...counts,
    errors: Type.Array(Type.String(), {
      description: `What was wrong, each beginning with the row, such as \`Row 7: email: …\`; of the first ${mostErrorsListed} rows that failed`,
    }),
    failedRows: Type.Array(Type.Integer({ minimum: 2 }), {
      description:
        'All rows that failed. Rows are counted as a spreadsheet does: the names of the columns are row 1',
    }),
    columnsPassedOver,
    updatedMembers: Type.Array(Id, {
      description: 'Members that were there and were changed, they or their records',
    }),
  },
  { $id: 'MemberImportResult' },
);

/** A line of the answer: progress after each batch of rows, and at the end what became of all of them. */
export const MemberImportLine = Type.Union([MemberImportProgress, MemberImportResult]);

const { kind: _kind, ...filters } = memberFilters;

/** What an export of members is filtered by: people, as the list is. */
export const ExportMembersFilter = Type.Object({ ...filters, neutralize });
export type ExportMembersFilter = Static<typeof ExportMembersFilter>;
