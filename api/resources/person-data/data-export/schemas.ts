import Type from 'typebox';
import { Id, Nullable, OneOf, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const DataExportResponse = Picked(
  {
    uuid: Uuid,
    memberId: Type.Integer({ ...Id, description: 'The member that the archive is about' }),
    requestedByMemberId: Type.Integer({ ...Id, description: 'The member that asked for it' }),
    includesInternal: Type.Boolean({
      description:
        'Whether it has what members do not see of themselves: prompts and tool calls, hidden records, events, who did what. It has if it was requested with the permission `person_data:export`',
    }),
    state: OneOf(['building', 'ready', 'expired', 'failed'], {
      description: 'expired: the archive is deleted, or a newer one has replaced it',
    }),
    failureReason: Nullable(
      OneOf(['too_large', 'failed', 'member_erased'], {
        description:
          'too_large: there is more than an archive takes (5 GB). failed: given up after five attempts; request another one. member_erased: the data was erased since',
      }),
    ),
    rows: Count('Rows in the archive'),
    files: Count('Files whose bytes are in the archive'),
    leftOut: Count('Files whose bytes are not in it, which `manifest.json` in the archive explains'),
    bytes: Nullable(Type.Integer({ minimum: 0, description: 'The size of a ready archive' })),
    createdAt: Timestamp,
    finishedAt: Nullable({ ...Timestamp, description: 'When it was ready or has failed' }),
    expiresAt: Nullable({ ...Timestamp, description: 'When the archive is deleted' }),
    downloadUrl: Nullable(
      Type.String({
        description:
          'Address of a ready archive, valid for 15 to 20 minutes without signing in: do not pass it on. Get the export again for another one',
      }),
    ),
  },
  { $id: 'DataExportResponse' },
);
