import {
  addPoolNumber,
  assignPoolNumber,
  listPoolNumbers,
  removePoolNumber,
} from '../../../../domain/channels/phone-number-pool/pool-numbers.js';
import { superuserAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import {
  AddPoolNumberRequest,
  ListPoolNumbersQuery,
  PoolNumberPage,
  PoolNumberResponse,
  UpdatePoolNumberRequest,
} from './schemas.js';

const tag = 'Phone number pool';
const isInUse = 'uses the number (`phone_number_in_use`), or login codes are sent from it (`login_number`).';

const list = defineRoute({
  operationId: 'listPoolNumbers',
  method: 'GET',
  path: '/phone-number-pool',
  tag,
  summary: 'List the numbers of the pool',
  description: 'For superusers who are signed in.',
  access: superuserAccess(),
  query: ListPoolNumbersQuery,
  response: { status: 200, schema: PoolNumberPage },
  handler: async ({ context, query }) => presentPage(query, await listPoolNumbers(context, query)),
});

const add = defineRoute({
  operationId: 'addPoolNumber',
  audit: {
    not: 'a number of the pool is of no workspace; what a workspace takes is recorded as phone_number:created',
  },
  method: 'POST',
  path: '/phone-number-pool',
  tag,
  summary: 'Add a number to the pool',
  description:
    "For superusers who are signed in. Adds a number of the carrier's account, which one workspace or any workspace may then take.",
  access: superuserAccess(),
  body: AddPoolNumberRequest,
  example: { body: { number: '+15550100120' }, once: true },
  response: { status: 201, schema: PoolNumberResponse },
  errors: { 409: 'The number is in the pool already (`number_in_pool`).' },
  handler: async ({ context, body }) => addPoolNumber(context, body),
});

const update = defineRoute({
  operationId: 'updatePoolNumber',
  audit: {
    not: 'a number of the pool is of no workspace; what a workspace takes is recorded as phone_number:created',
  },
  method: 'PUT',
  path: '/phone-number-pool/{pool_number_id}',
  tag,
  summary: 'Assign a number to a workspace, or release it',
  description:
    'For superusers who are signed in. A workspace that already uses the number keeps it until it deletes it.',
  access: superuserAccess(),
  body: UpdatePoolNumberRequest,
  example: { body: { workspaceUuid: demo.workspaceUuid } },
  response: { status: 200, schema: PoolNumberResponse },
  errors: { 409: `Another workspace ${isInUse}` },
  handler: async ({ context, params, body }) =>
    assignPoolNumber(context, params.pool_number_id, body.workspaceUuid),
});

const remove = defineRoute({
  operationId: 'deletePoolNumber',
  audit: {
    not: 'a number of the pool is of no workspace; what a workspace takes is recorded as phone_number:created',
  },
  method: 'DELETE',
  path: '/phone-number-pool/{pool_number_id}',
  tag,
  summary: 'Remove a number from the pool',
  description: 'For superusers who are signed in.',
  access: superuserAccess(),
  example: { params: { pool_number_id: demo.poolNumberToDelete }, once: true },
  response: { status: 204 },
  errors: { 409: `A workspace ${isInUse}` },
  handler: async ({ context, params }) => removePoolNumber(context, params.pool_number_id),
});

export const phoneNumberPoolRoutes = [list, add, update, remove];
