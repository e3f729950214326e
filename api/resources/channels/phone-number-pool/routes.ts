import {
  addPoolNumber,
  assignPoolNumber,
  listPoolNumbers,
  removePoolNumber,
} from '../../../../domain/channels/phone-number-pool/pool-numbers.js';
import { superuserAccess } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import {
  AddPoolNumberRequest,
  ListPoolNumbersQuery,
  PoolNumberPage,
  PoolNumberResponse,
  UpdatePoolNumberRequest,
} from './schemas.js';

const isInUse = 'uses the number (`phone_number_in_use`), or login codes are sent from it (`login_number`).';

const phoneNumberPool = resource({
  tag: 'Phone number pool',
  path: '/phone-number-pool',
  read: superuserAccess(),
  write: superuserAccess(),
});

const list = phoneNumberPool.list({
  operationId: 'listPoolNumbers',
  summary: 'List the numbers of the pool',
  description: 'For superusers who are signed in.',
  query: ListPoolNumbersQuery,
  response: PoolNumberPage,
  handler: async ({ context, query }) => presentPage(query, await listPoolNumbers(context, query)),
});

const add = phoneNumberPool.create({
  operationId: 'addPoolNumber',
  audit: {
    not: 'a number of the pool is of no workspace; what a workspace takes is recorded as phone_number:created',
  },
  summary: 'Add a number to the pool',
  description:
    "For superusers who are signed in. Adds a number of the carrier's account, which one workspace or any workspace may then take.",
  body: AddPoolNumberRequest,
  example: { body: { number: '+15550100120' }, once: true },
  response: PoolNumberResponse,
  errors: { 409: 'The number is in the pool already (`number_in_pool`).' },
  handler: async ({ context, body }) => addPoolNumber(context, body),
});

const update = phoneNumberPool.update('/{pool_number_id}', {
  operationId: 'updatePoolNumber',
  audit: {
    not: 'a number of the pool is of no workspace; what a workspace takes is recorded as phone_number:created',
  },
  summary: 'Assign a number to a workspace, or release it',
  description:
    'For superusers who are signed in. A workspace that already uses the number keeps it until it deletes it.',
  body: UpdatePoolNumberRequest,
  example: { body: { workspaceUuid: demo.workspaceUuid } },
  response: PoolNumberResponse,
  errors: { 409: `Another workspace ${isInUse}` },
  handler: async ({ context, params, body }) =>
    assignPoolNumber(context, params.pool_number_id, body.workspaceUuid),
});

const remove = phoneNumberPool.remove('/{pool_number_id}', {
  operationId: 'deletePoolNumber',
  audit: {
    not: 'a number of the pool is of no workspace; what a workspace takes is recorded as phone_number:created',
  },
  summary: 'Remove a number from the pool',
  description: 'For superusers who are signed in.',
  example: { params: { pool_number_id: demo.poolNumberToDelete }, once: true },
  errors: { 409: `A workspace ${isInUse}` },
  handler: async ({ context, params }) => removePoolNumber(context, params.pool_number_id),
});

export const phoneNumberPoolRoutes = [list, add, update, remove];
