import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { getDataType, listDataTypes } from '../../../../domain/records/data-types/data-types.js';
import { deleteDataType } from '../../../../domain/records/data-types/delete-data-type.js';
import { updateDataType } from '../../../../domain/records/data-types/update-data-type.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import {
  CreateDataTypeRequest,
  DataTypePage,
  DataTypeResponse,
  ListDataTypesQuery,
  UpdateDataTypeRequest,
} from './schemas.js';

const dataTypes = resource({
  tag: 'Data types',
  path: '/w/{workspace_uuid}/data-types',
  read: workspaceMember({ scope: 'datatypes:read' }),
  write: workspaceMember({ scope: 'datatypes:write', permission: 'datatypes:write' }),
});

const list = dataTypes.list({
  operationId: 'listDataTypes',
  summary: 'List data types',
  query: ListDataTypesQuery,
  response: DataTypePage,
  handler: async ({ context, query }) => presentPage(query, await listDataTypes(context, query, query)),
});

const create = dataTypes.create({
  operationId: 'createDataType',
  summary: 'Create a data type',
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
  response: DataTypeResponse,
  errors: { 409: 'The workspace has 200 data types (`too_many_data_types`).' },
  handler: async ({ context, body }) => createDataType(context, body),
});

const get = dataTypes.get('/{data_type_id}', {
  operationId: 'getDataType',
  summary: 'Get a data type',
  response: DataTypeResponse,
  handler: async ({ context, params }) => getDataType(context, params.data_type_id),
});

const update = dataTypes.update('/{data_type_id}', {
  operationId: 'updateDataType',
  summary: 'Change a data type',
  description:
    "fields replaces all fields. A change that existing records do not fit, because values have the wrong type or are not unique, is refused, with the number of such records. If a field's indexing changes, all records are indexed again: for a million records this takes minutes, during which no record of the type can be written.",
  body: UpdateDataTypeRequest,
  example: { body: { name: 'Visits of patients' } },
  response: DataTypeResponse,
  handler: async ({ context, params, body }) => updateDataType(context, params.data_type_id, body),
});

const remove = dataTypes.remove('/{data_type_id}', {
  operationId: 'deleteDataType',
  summary: 'Delete a data type',
  example: { params: { data_type_id: demo.dataTypeToDelete }, once: true },
  errors: { 409: 'The data type has records.' },
  handler: async ({ context, params }) => deleteDataType(context, params.data_type_id),
});

export const dataTypeRoutes = [list, create, get, update, remove];
