import Type from 'typebox';
import { maxTextLength } from '../../../../domain/people/members/member-attributes.js';
import { DateOnly, Id, Nullable, Picked, Uuid } from '../../../http/schemas.js';
import { MemberLabelSummary } from '../../people/members/schemas.js';

const text = (maxLength: number, description?: string) =>
  Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) })),
  );
const slug = Type.String({ minLength: 1, maxLength: 63 });
const externalId = (what: string) => text(200, `The caller's own id of the ${what}`);

const SignUpMember = Type.Object(
  {
    email: text(maxTextLength.email),
    phone: text(
      maxTextLength.phone,
      "Phone number. E.164 is recommended; otherwise it is read as a number of the workspace's region",
    ),
    name: text(maxTextLength.name),
    dateOfBirth: Type.Optional(Nullable(DateOnly)),
    externalId: externalId('person'),
    role: text(
      200,
      'The role of a new member, by name; not an admin role. Default: the first role that is not an admin role',
    ),
    locale: text(maxTextLength.locale, 'Language tag, for example en-US'),
    tosAccepted: Type.Optional(Nullable(Type.Boolean({ description: 'The person accepted the terms' }))),
    labels: Type.Optional(
      Nullable(Type.Array(slug, { maxItems: 100, uniqueItems: true, description: 'Slugs of member labels' })),
    ),
  },
  { description: 'At least one of email, phone and externalId. Null counts as omitted.' },
);

const SignUpRecord = Type.Object({
  externalId: externalId('record'),
  values: Type.Record(slug, Type.Unknown(), { maxProperties: 200, description: 'Values by field slug' }),
});

export const CreateSignupRequest = Type.Object(
  {
    member: SignUpMember,
    data: Type.Optional(
      Type.Record(slug, SignUpRecord, { maxProperties: 50, description: 'Records by data type slug' }),
    ),
  },
  { $id: 'CreateSignupRequest' },
);

export const CreateSignupResponse = Type.Object(
  {
    token: Type.Union([Type.String(), Type.Null()], {
      description:
        '`wmt_…`, shown only this once: the new member signs in with it by `POST /sessions`, within an hour, and then has the permissions that both its role and the key of this request have. Null if the member already existed.',
    }),
    account: Type.Object({
      uuid: Uuid,
      email: Nullable(Type.String()),
      phone: Nullable(Type.String()),
      name: Nullable(Type.String()),
    }),
    member: Picked({
      id: Id,
      email: Nullable(Type.String()),
      memberRoleId: Id,
      labels: Type.Array(MemberLabelSummary),
    }),
    wasCreated: Type.Boolean({ description: 'False if the member already existed' }),
  },
  { $id: 'CreateSignupResponse' },
);
