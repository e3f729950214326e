import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { getDataType, listDataTypes } from '../../../../domain/records/data-types/data-types.js';
import { deleteDataType } from '../../../../domain/records/data-types/delete-data-type.js';
import { updateDataType } from '../../../../domain/records/data-types/update-data-type.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import {
  CreateDataTypeRequest,
  DataTypePage,
  DataTypeResponse,
  ListDataTypesQuery,
  UpdateDataTypeRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'datatypes:read' });
const writers = workspaceMember({ scope: 'datatypes:write', permission: 'datatypes:write' });

const list = defineRoute({
  operationId: 'listDataTypes',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types',
  tag: 'Data types',
  summary: 'List data types',
  access: readers,
  query: ListDataTypesQuery,
  response: { status: 200, schema: DataTypePage },
  handler: async ({ context, query }) => presentPage(query, await listDataTypes(context, query, query)),
});

const create = defineRoute({
  operationId: 'createDataType',
  method: 'POST',
  path: '/w/{workspace_uuid}/data-types',
  tag: 'Data types',
  summary: 'Create a data type',
  access: writers,
  body: CreateDataTypeRequest,
  example: {
    body: {
      name: 'Allergies',
      slug: 'allergies',
      isCollection: true,
      fields: [
        { slug: 'substance', name: 'Substance', fieldType: 'text', required: true, shouldIndex: true },
        { slug: 'severity', name: 'Severity', fieldType: 'select', options: ['mild', 'severe'] },
        { slug: 'photos', name: 'Photos', fieldType: 'files', max: 3 },
      ],
    },
    once: true,
  },
  response: { status: 201, schema: DataTypeResponse },
  errors: { 409: 'The workspace has 200 data types (`too_many_data_types`).' },
  handler: async ({ context, body }) => createDataType(context, body),
});

const get = defineRoute({
  operationId: 'getDataType',
  method: 'GET',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}',
  tag: 'Data types',
  summary: 'Get a data type',
  access: readers,
  response: { status: 200, schema: DataTypeResponse },
  handler: async ({ context, params }) => getDataType(context, params.data_type_id),
});

const update = defineRoute({
  operationId: 'updateDataType',
  method: 'PUT',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}',
  tag: 'Data types',
  summary: 'Change a data type',
  description:
    "fields replaces all fields. A change that existing records do not fit, because values have the wrong type or are not unique, is refused, with the number of such records. If a field's indexing changes, all records are indexed again: for a million records this takes minutes, during which no record of the type can be written.",
  access: writers,
  body: UpdateDataTypeRequest,
  example: { body: { name: 'Visits of patients' } },
  response: { status: 200, schema: DataTypeResponse },
  handler: async ({ context, params, body }) => updateDataType(context, params.data_type_id, body),
});

const remove = defineRoute({
  operationId: 'deleteDataType',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}',
  tag: 'Data types',
  summary: 'Delete a data type',
  access: writers,
  example: { params: { data_type_id: demo.dataTypeToDelete }, once: true },
  response: { status: 204 },
  errors: { 409: 'The data type has records.' },
  handler: async ({ context, params }) => deleteDataType(context, params.data_type_id),
});

export const dataTypeRoutes = [list, create, get, update, remove];
