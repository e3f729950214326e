import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import { createPhoneNumber } from '../../../../domain/channels/phone-numbers/create-phone-number.js';
import { deletePhoneNumber } from '../../../../domain/channels/phone-numbers/delete-phone-number.js';
import { getPhoneNumber, listPhoneNumbers } from '../../../../domain/channels/phone-numbers/phone-numbers.js';
import { updatePhoneNumber } from '../../../../domain/channels/phone-numbers/update-phone-number.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import {
  CreatePhoneNumberRequest,
  ListPhoneNumbersQuery,
  PhoneNumberPage,
  PhoneNumberResponse,
  UpdatePhoneNumberRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'phone_numbers:read' });
const writers = workspaceMember({ scope: 'phone_numbers:write', permission: 'phone_numbers:write' });

const list = defineRoute({
  operationId: 'listPhoneNumbers',
  method: 'GET',
  path: '/w/{workspace_uuid}/phone-numbers',
  tag: 'Phone numbers',
  summary: 'List phone numbers',
  access: readers,
  query: ListPhoneNumbersQuery,
  response: { status: 200, schema: PhoneNumberPage },
  handler: async ({ context, query }) =>
    presentPage(query, await listPhoneNumbers(context, query), presentPhoneNumber),
});

const create = defineRoute({
  operationId: 'createPhoneNumber',
  method: 'POST',
  path: '/w/{workspace_uuid}/phone-numbers',
  tag: 'Phone numbers',
  summary: 'Add a phone number',
  description:
    'Takes a number from the pool that the operator of the service fills: one that is assigned to this workspace, or to none (`GET available-phone-numbers`). Any other number is refused with a 400 at `/number`. A number belongs to one workspace.',
  access: writers,
  body: CreatePhoneNumberRequest,
  example: { body: { number: demo.availableNumber, name: 'Second line' }, once: true },
  response: { status: 201, schema: PhoneNumberResponse },
  handler: async ({ context, body }) => presentPhoneNumber(await createPhoneNumber(context, body)),
});

const get = defineRoute({
  operationId: 'getPhoneNumber',
  method: 'GET',
  path: '/w/{workspace_uuid}/phone-numbers/{phone_number_id}',
  tag: 'Phone numbers',
  summary: 'Get a phone number',
  access: readers,
  response: { status: 200, schema: PhoneNumberResponse },
  handler: async ({ context, params }) =>
    presentPhoneNumber(await getPhoneNumber(context, params.phone_number_id)),
});

const update = defineRoute({
  operationId: 'updatePhoneNumber',
  method: 'PUT',
  path: '/w/{workspace_uuid}/phone-numbers/{phone_number_id}',
  tag: 'Phone numbers',
  summary: 'Change a phone number',
  description: 'Omitted fields keep their values. The number itself cannot be changed.',
  access: writers,
  body: UpdatePhoneNumberRequest,
  example: { body: { name: 'Front desk', voiceEnabled: false } },
  response: { status: 200, schema: PhoneNumberResponse },
  handler: async ({ context, params, body }) =>
    presentPhoneNumber(await updatePhoneNumber(context, params.phone_number_id, body)),
});

const remove = defineRoute({
  operationId: 'deletePhoneNumber',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/phone-numbers/{phone_number_id}',
  tag: 'Phone numbers',
  summary: 'Delete a phone number',
  description: 'The number returns to the pool, for the workspace that it is assigned to, or for any.',
  access: writers,
  example: { params: { phone_number_id: demo.phoneNumberToDelete }, once: true },
  response: { status: 204 },
  errors: { 409: 'The number still has chats.' },
  handler: async ({ context, params }) => deletePhoneNumber(context, params.phone_number_id),
});

function presentPhoneNumber(row: PhoneNumberRow) {
  return { ...row, inboundWorkflowId: row.inboundDefinitionId };
}

export const phoneNumberRoutes = [list, create, get, update, remove];
