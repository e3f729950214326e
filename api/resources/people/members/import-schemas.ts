import Type, { type Static } from 'typebox';
import { mostErrorsListed } from '../../../../domain/records/csv/import-tally.js';
import { columnsPassedOver, Id, neutralize, OneOf } from '../../../http/schemas.js';
import { memberFilters } from './schemas.js';

/** The fields sent with the file. */
export const ImportMembersForm = Type.Object({
  newMemberRoleId: Type.Optional(
    Type.Integer({
      ...Id,
      description: 'The role of new members; by default the first role that is not an admin role',
    }),
  ),
  blankCells: Type.Optional(
    OneOf(['keep', 'clear'], {
      description: 'The effect of a blank cell: keep the present value (default), or clear it',
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
    current: Type.Integer({ minimum: 0, description: 'Number of rows processed' }),
    ...counts,
  },
  { $id: 'MemberImportProgress' },
);

const MemberImportResult = Type.Object(
  {
    type: Type.Literal('complete'),
    ...counts,
    errors: Type.Array(Type.String(), {
      description: `Error messages, each beginning with the row, such as \`Row 7: email: …\`, for the first ${mostErrorsListed} rows that failed`,
    }),
    failedRows: Type.Array(Type.Integer({ minimum: 2 }), {
      description: 'All rows that failed. Rows are numbered as in a spreadsheet: the header is row 1',
    }),
    columnsPassedOver,
    updatedMembers: Type.Array(Id, {
      description: 'Existing members that were changed, or whose records were',
    }),
  },
  { $id: 'MemberImportResult' },
);

/** A line of the answer: progress after each batch of rows, and at the end the result for all rows. */
export const MemberImportLine = Type.Union([MemberImportProgress, MemberImportResult]);

const { kind: _kind, ...filters } = memberFilters;

/** Filters of an export of members, as of the list; exports contain people only. */
export const ExportMembersFilter = Type.Object({ ...filters, neutralize });
export type ExportMembersFilter = Static<typeof ExportMembersFilter>;
