import Type from 'typebox';
import { smtpSecurities } from '../../../../db/channels/inboxes.js';
import {
  type AnswerOf,
  Id,
  Name,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Timestamp,
  Uuid,
} from '../../../http/schemas.js';

const host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[A-Za-z0-9.-]+$',
  description: 'Name or IPv4 address of the mail server; private addresses are refused',
});
const port = Type.Integer({ minimum: 1, maximum: 65_535, description: '25, 465, 587 or 2525 in production' });
const security = OneOf(smtpSecurities, {
  description:
    'tls: from the beginning; starttls: required after the greeting; none: outside of production only',
});
const user = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'User name at the mail server; absent: it asks for none',
});

const SmtpServer = Type.Object({
  host,
  port,
  security,
  user: Type.Optional(user),
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description:
        'Password at the mail server; never shown. In a change it may be omitted if host, port, security and user stay as they are',
    }),
  ),
});

const fromName = {
  ...Name(100),
  description: 'Name of the sender, as people see it; without <, > and @, which would look like an address',
};
const signature = Type.String({
  maxLength: 2_000,
  description: 'Markdown below each email; empty: none',
});
const authservId = Type.Union(
  [Type.String({ minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9._-]+$' }), Type.Null()],
  {
    description:
      'The id with which the receiving mail server begins its Authentication-Results (RFC 8601), which alone are trusted; null: none are, so that no sender counts as proved',
  },
);

const ShownServer = Type.Object({
  host,
  port,
  security,
  user: Type.Union([user, Type.Null()], {
    description: 'User name at the mail server; null: it asks for none',
  }),
});

const shown = {
  id: Id,
  uuid: Uuid,
  address: Type.String({ description: 'Email address of the inbox, in lower case' }),
  fromName: Type.String({ description: 'Name of the sender, as people see it' }),
  signature: Type.String({ description: 'Markdown below each email; empty: none' }),
  assistantMemberId: Nullable(Id),
  workflowId: Nullable(Id),
  enabled: Type.Boolean(),
  authservId: Type.Optional(
    Nullable(
      Type.String({
        description:
          'The id of the receiving mail server whose Authentication-Results are trusted. Absent without the permission inboxes:write',
      }),
    ),
  ),
  smtp: Type.Optional(
    Type.Union([ShownServer, Type.Null()], {
      description:
        "The inbox's own mail server, without its password; null: the service's relay. Absent without the permission inboxes:write",
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const InboxResponse = Type.Object(shown, { $id: 'InboxResponse' });
export type InboxResponse = AnswerOf<typeof InboxResponse>;

export const InboxWithSecretResponse = Type.Object(
  {
    ...shown,
    inboundSecret: Type.String({
      description: 'The secret with which a mail server hands in mail to the inbox, shown only this once',
    }),
  },
  { $id: 'InboxWithSecretResponse' },
);

export const InboxPage = Page(InboxResponse);

const optionalFields = {
  signature: Type.Optional(signature),
  assistantMemberId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description:
        'The assistant of chats that begin in the inbox; null: that of the workflow, or the default one',
    }),
  ),
  workflowId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'The workflow of chats that begin in the inbox; null: none',
    }),
  ),
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether the inbox sends email and is used for new chats. Default true' }),
  ),
  authservId: Type.Optional(authservId),
  smtp: Type.Optional(
    Type.Union([SmtpServer, Type.Null()], {
      description:
        "The inbox's own mail server. Null: the service's relay, which sends for addresses at the domain of the operator (`INBOX_DOMAIN`) only",
    }),
  ),
};

export const CreateInboxRequest = Type.Object(
  {
    address: Type.String({
      minLength: 3,
      maxLength: 200,
      description:
        'Email address: letters, digits, dots, hyphens and underscores before the @, 32 at most. It is stored in lower case, and is unique in the whole service',
    }),
    fromName,
    ...optionalFields,
  },
  { $id: 'CreateInboxRequest' },
);

export const UpdateInboxRequest = Type.Object(
  { fromName: Type.Optional(fromName), ...optionalFields },
  { $id: 'UpdateInboxRequest' },
);

export const ListInboxesQuery = PageQuery(['address', 'createdAt', 'updatedAt'], {
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Part of the address or of the sender's name" }),
  ),
});
