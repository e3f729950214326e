import Type from 'typebox';
import { findUnsubscription, setUnsubscribed } from '../../../../domain/channels/email/unsubscribe.js';
import { pageHeaders } from '../../../html/account/page.js';
import { publicAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Uuid } from '../../../http/schemas.js';
import { unsubscribePage } from './page.js';

const path = '/w/{workspace_uuid}/unsubscribe/{token}';
const params = Type.Object({
  workspace_uuid: Uuid,
  token: Type.String({ minLength: 1, maxLength: 100, description: 'Token of the email, as in its link' }),
});
const response = {
  status: 200,
  schema: Type.String(),
  contentType: 'text/html',
  headers: pageHeaders(),
} as const;
const example = { params: { token: demo.unsubscribeToken } };

const show = defineRoute({
  operationId: 'showUnsubscribe',
  method: 'GET',
  path,
  tag: 'Email',
  summary: 'Show the page for unsubscribing',
  description:
    'The link of an email that an agent or a task has begun, for its recipient. The page has a button; opening it changes nothing, because mail programs open links by themselves. A link works for 60 days at least, also when its message is deleted. A browser that opens one that works no longer gets a page, which says how to opt out otherwise.',
  access: publicAccess(),
  params,
  example,
  response: { ...response, description: 'A page of HTML.' },
  handler: async ({ context, params: { workspace_uuid: workspaceUuid, token }, languages }) =>
    unsubscribePage(await findUnsubscription(context, { workspaceUuid, token }), languages),
});

const unsubscribe = defineRoute({
  operationId: 'unsubscribe',
  method: 'POST',
  path,
  tag: 'Email',
  summary: 'Unsubscribe from email',
  description:
    'Sent by the button of the page, or by mail programs as one-click unsubscribing (RFC 8058). The address of the email then gets nothing more that agents and tasks of the workspace begin (`opted_out`); replies within 24 hours of a message of the member are still sent. With `subscribe`, which the page offers afterwards, this ends. An opt-out that the mail provider reported does not end by it, and the page then has no button. Repeating it changes nothing. A body of any type is passed over, as mail programs send `List-Unsubscribe=One-Click` in several.',
  access: publicAccess(),
  params,
  consumes: 'anything',
  query: Type.Object({
    subscribe: Type.Optional(Type.Boolean({ description: 'Subscribes again, for the button of the page' })),
  }),
  example,
  response: { ...response, description: 'A page of HTML, which says what is the case now.' },
  handler: async ({ context, params: { workspace_uuid: workspaceUuid, token }, query, languages }) =>
    unsubscribePage(
      await setUnsubscribed(context, { workspaceUuid, token }, query.subscribe !== true),
      languages,
    ),
});

export const unsubscribeRoutes = [show, unsubscribe];
