import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import { createPhoneNumber } from '../../../../domain/channels/phone-numbers/create-phone-number.js';
import { deletePhoneNumber } from '../../../../domain/channels/phone-numbers/delete-phone-number.js';
import { getPhoneNumber, listPhoneNumbers } from '../../../../domain/channels/phone-numbers/phone-numbers.js';
import { updatePhoneNumber } from '../../../../domain/channels/phone-numbers/update-phone-number.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import {
  CreatePhoneNumberRequest,
  ListPhoneNumbersQuery,
  PhoneNumberPage,
  PhoneNumberResponse,
  UpdatePhoneNumberRequest,
} from './schemas.js';

const phoneNumbers = resource({
  tag: 'Phone numbers',
  path: '/w/{workspace_uuid}/phone-numbers',
  read: workspaceMember({ scope: 'phone_numbers:read' }),
  write: workspaceMember({ scope: 'phone_numbers:write', permission: 'phone_numbers:write' }),
});

const list = phoneNumbers.list({
  operationId: 'listPhoneNumbers',
  summary: 'List phone numbers',
  query: ListPhoneNumbersQuery,
  response: PhoneNumberPage,
  handler: async ({ context, query }) =>
    presentPage(query, await listPhoneNumbers(context, query), presentPhoneNumber),
});

const create = phoneNumbers.create({
  operationId: 'createPhoneNumber',
  summary: 'Add a phone number',
  description:
    'Takes a number from the pool that the operator of the service fills: one that is assigned to this workspace, or to none (`GET available-phone-numbers`). Any other number is refused with a 400 at `/number`. A number belongs to one workspace.',
  body: CreatePhoneNumberRequest,
  example: { body: { number: demo.availableNumber, name: 'Second line' }, once: true },
  response: PhoneNumberResponse,
  handler: async ({ context, body }) => presentPhoneNumber(await createPhoneNumber(context, body)),
});

const get = phoneNumbers.get('/{phone_number_id}', {
  operationId: 'getPhoneNumber',
  summary: 'Get a phone number',
  response: PhoneNumberResponse,
  handler: async ({ context, params }) =>
    presentPhoneNumber(await getPhoneNumber(context, params.phone_number_id)),
});

const update = phoneNumbers.update('/{phone_number_id}', {
  operationId: 'updatePhoneNumber',
  summary: 'Change a phone number',
  description: 'Omitted fields keep their values. The number itself cannot be changed.',
  body: UpdatePhoneNumberRequest,
  example: { body: { name: 'Front desk', voiceEnabled: false } },
  response: PhoneNumberResponse,
  handler: async ({ context, params, body }) =>
    presentPhoneNumber(await updatePhoneNumber(context, params.phone_number_id, body)),
});

const remove = phoneNumbers.remove('/{phone_number_id}', {
  operationId: 'deletePhoneNumber',
  summary: 'Delete a phone number',
  description: 'The number returns to the pool, for the workspace that it is assigned to, or for any.',
  example: { params: { phone_number_id: demo.phoneNumberToDelete }, once: true },
  errors: { 409: 'The number still has chats.' },
  handler: async ({ context, params }) => deletePhoneNumber(context, params.phone_number_id),
});

function presentPhoneNumber(row: PhoneNumberRow) {
  return { ...row, inboundWorkflowId: row.inboundDefinitionId };
}

export const phoneNumberRoutes = [list, create, get, update, remove];
