import { createInbox } from '../../../../domain/channels/inboxes/create-inbox.js';
import { deleteInbox } from '../../../../domain/channels/inboxes/delete-inbox.js';
import { getInbox, listInboxes } from '../../../../domain/channels/inboxes/inboxes.js';
import { rotateInboundSecret } from '../../../../domain/channels/inboxes/rotate-inbound-secret.js';
import { checkServer } from '../../../../domain/channels/inboxes/smtp-settings.js';
import { updateInbox } from '../../../../domain/channels/inboxes/update-inbox.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import type { Services } from '../../../http/services.js';
import { presentInbox, presentWithSecret } from './presenter.js';
import {
  CreateInboxRequest,
  InboxPage,
  InboxResponse,
  InboxWithSecretResponse,
  ListInboxesQuery,
  UpdateInboxRequest,
} from './schemas.js';

export { inboundRoutes } from './inbound.js';

const policyOf = ({ encryption, inboxes }: Services) => ({ encryption, policy: inboxes.policy });

const inboxes = resource({
  tag: 'Inboxes',
  path: '/w/{workspace_uuid}/inboxes',
  read: workspaceMember({ scope: 'inboxes:read' }),
  write: workspaceMember({ scope: 'inboxes:write', permission: 'inboxes:write' }),
});

const list = inboxes.list({
  operationId: 'listInboxes',
  summary: 'List inboxes',
  query: ListInboxesQuery,
  response: InboxPage,
  handler: async ({ context, query }) =>
    presentPage(query, await listInboxes(context, query), (row) => presentInbox(context.actor, row)),
});

const create = inboxes.create({
  operationId: 'createInbox',
  audit: ['inbox:created'],
  summary: 'Create an inbox',
  description:
    "Email chats are sent from an inbox. For an address at the domain of the operator the service's own relay sends; any other address needs its own mail server (`smtp`), whose host is checked as the hosts of webhooks are. The answer contains the secret with which a mail server hands in mail, only this once. An address that another workspace has is refused like one that is reserved.",
  body: CreateInboxRequest,
  example: {
    body: {
      address: 'second@inboxes.example',
      fromName: 'Second desk',
      smtp: { host: '127.0.0.1', port: 2525, security: 'none', user: 'second', password: 'a password' },
    },
    once: true,
  },
  response: InboxWithSecretResponse,
  secretAnswer: true,
  errors: { 409: 'The workspace has 100 enabled inboxes, or 1,000 in all (`too_many_inboxes`).' },
  prepare: async ({ body: { smtp }, services }) => smtp && checkServer(services.inboxes.hosts, smtp),
  handler: async ({ context, services, body, prepared: smtp }) => {
    const inbox = { ...body, ...(smtp === undefined ? {} : { smtp }) };
    return presentWithSecret(context.actor, await createInbox({ ...context, ...policyOf(services) }, inbox));
  },
});

const get = inboxes.get('/{inbox_id}', {
  operationId: 'getInbox',
  summary: 'Get an inbox',
  response: InboxResponse,
  handler: async ({ context, params }) =>
    presentInbox(context.actor, await getInbox(context, params.inbox_id)),
});

const update = inboxes.update('/{inbox_id}', {
  operationId: 'updateInbox',
  audit: ['inbox:updated'],
  summary: 'Change an inbox',
  description:
    'Omitted fields keep their values. The address itself cannot be changed. Email that waits is sent through the new mail server. A disabled inbox sends nothing: messages in its chats fail with `missing_inbox`.',
  body: UpdateInboxRequest,
  example: { body: { fromName: 'Front desk' } },
  response: InboxResponse,
  errors: { 409: 'It is enabled, and the workspace has 100 enabled inboxes (`too_many_inboxes`).' },
  prepare: async ({ body: { smtp }, services }) => smtp && checkServer(services.inboxes.hosts, smtp),
  handler: async ({ context, services, params, body, prepared: smtp }) => {
    const changes = { ...body, ...(smtp === undefined ? {} : { smtp }) };
    const inbox = await updateInbox({ ...context, ...policyOf(services) }, params.inbox_id, changes);
    return presentInbox(context.actor, inbox);
  },
});

const remove = inboxes.remove('/{inbox_id}', {
  operationId: 'deleteInbox',
  summary: 'Delete an inbox',
  description: 'Its address becomes available to every workspace. An inbox with chats can only be disabled.',
  example: { params: { inbox_id: demo.inboxToDelete }, once: true },
  errors: { 409: 'Chats or emails use the inbox (`inbox_in_use`).' },
  handler: async ({ context, params }) => deleteInbox(context, params.inbox_id),
});

const rotateSecret = inboxes.act('/{inbox_id}/rotate-secret', {
  operationId: 'rotateInboxSecret',
  audit: ['inbox:secret_rotated'],
  summary: 'Rotate the secret of an inbox',
  description:
    'The answer contains the new secret, only this once; it is valid immediately. The one before stays valid for a day, so that the mail server can be changed meanwhile. To end a secret that was read by others at once, rotate twice.',
  response: InboxWithSecretResponse,
  idempotent: true,
  secretAnswer: true,
  handler: async ({ context, services, params }) => {
    const { encryption } = services;
    return presentWithSecret(
      context.actor,
      await rotateInboundSecret({ ...context, encryption }, params.inbox_id),
    );
  },
});

export const inboxRoutes = [list, create, get, update, remove, rotateSecret];
