import Type, { type Static } from 'typebox';
import {
  type AuditAction,
  auditActions,
  auditSubjects,
} from '../../../../domain/kernel/audit/audit-actions.js';
import {
  CountedPage,
  createdBetween,
  Id,
  Nullable,
  neutralize,
  OneOf,
  PageQuery,
  Picked,
  Timestamp,
} from '../../../http/schemas.js';

const actions = Object.keys(auditActions) as AuditAction[];

export const AuditEventResponse = Picked(
  {
    id: Id,
    createdAt: Timestamp,
    action: Type.String({
      description: `What was done: ${Object.entries(auditActions)
        .map(([name, text]) => `\`${name}\` ${text}`)
        .join(' ')} Later versions have more`,
    }),
    actorMemberId: Nullable(
      Type.Integer({
        minimum: 1,
        description:
          'Member who acted, in the log of an organization a member of it; null: none of them, or in the log of an account',
      }),
    ),
    credentialKind: Nullable(
      Type.String({
        description:
          'What the actor called with: api_key, session or another kind; null: without a credential',
      }),
    ),
    credentialId: Nullable(Type.Integer({ minimum: 1, description: 'Which credential of that kind it was' })),
    subjectType: Nullable(
      Type.String({
        description: 'Kind of what was acted on; null: the workspace, the organization or the account itself',
      }),
    ),
    subjectId: Nullable(
      Type.Integer({ minimum: 1, description: 'Id of what was acted on, also if it was deleted since' }),
    ),
    names: Type.Array(Type.String(), {
      description: 'Names of the fields, scopes or permissions that are meant, never their values',
    }),
    count: Type.Integer({
      minimum: 1,
      description:
        'How often it happened; for what is denied or refused, a row stands for an hour, and this is at least half of the number',
    }),
    address: Nullable(
      Type.String({
        description: 'Network address of the caller, of IPv6 the first 56 bits; null if unknown or erased',
      }),
    ),
    userAgent: Nullable(
      Type.String({ description: 'Program and system of the caller, for example Firefox on Linux' }),
    ),
    requestId: Nullable(Type.String({ description: 'Id of the request, as in the log and in X-Request-Id' })),
  },
  { $id: 'AuditEventResponse' },
);

export const AuditEventPage = CountedPage(AuditEventResponse);

const filters = {
  action: Type.Optional(OneOf(actions, { description: 'Only events of this action' })),
  subjectType: Type.Optional(OneOf(auditSubjects, { description: 'Only events about this kind of object' })),
  subjectId: Type.Optional(Type.Integer({ ...Id, description: 'Only events about the object with this id' })),
  ...createdBetween,
};
const ofWorkspace = {
  ...filters,
  actorMemberId: Type.Optional(
    Type.Integer({ ...Id, description: 'Only events of which this member is the actor' }),
  ),
};

export const ListAuditEventsQuery = PageQuery(['createdAt'], ofWorkspace, 'desc');
export const ListAccountAuditEventsQuery = PageQuery(['createdAt'], filters, 'desc');
export const ExportAuditEventsQuery = Type.Object({ ...ofWorkspace, neutralize });

type Filters = Partial<Omit<Static<typeof ExportAuditEventsQuery>, 'neutralize'>>;

export function auditFilter({ createdFrom, createdBefore, ...filter }: Filters) {
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return { ...filter, createdFrom: time(createdFrom), createdBefore: time(createdBefore) };
}
