import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { adds, reads, replaces } from './annotations.js';

const listTypes = defineTool({
  name: 'list_data_types',
  title: 'List data types',
  description:
    'Lists the kinds of data records of the workspace with their fields: slug, fieldType, options and which are required. Call it before the tools of data records: it has the data_type_id and the slugs that fieldValues are keyed by. isCollection says whether a member has many records of the type, or one.',
  route: routeOf('listDataTypes'),
  annotations: reads,
  untrusted: true,
});

const list = defineTool({
  name: 'list_data_records',
  title: 'List data records',
  description:
    'Lists the records of one data type, for one member (memberId) or for all that the caller may read. Narrow it by filter (`<slug>:<operator>:<value>`, on indexed fields) or search. Returns a page of records with fieldValues; total is exact if totalIsExact. Needs the data_type_id of list_data_types. Next: get_data_record or update_data_record.',
  route: routeOf('listDataRecords'),
  omit: ['countTo'],
  annotations: reads,
  untrusted: true,
});

const get = defineTool({
  name: 'get_data_record',
  title: 'Get a data record',
  description:
    'Returns one record: fieldValues, its member, accessMode, and whether it is retired. Read it before update_data_record, so that the change is made to the present values.',
  route: routeOf('getDataRecord'),
  annotations: reads,
  untrusted: true,
});

const create = defineTool({
  name: 'create_data_record',
  title: 'Create a data record',
  description:
    'Stores a record about a member; without memberId, about the caller. fieldValues is an object from slugs of fields to values, as list_data_types names them. If a record of the type has the given externalId, that record is updated instead. Returns the record.',
  route: routeOf('createDataRecord'),
  annotations: { ...adds, destructiveHint: true },
  untrusted: true,
});

const update = defineTool({
  name: 'update_data_record',
  title: 'Change a data record',
  description:
    'Sets the given fieldValues of a record; fields that are left out keep their values. A retired record is refused. Earlier values stay in the history of the record. Returns the changed record.',
  route: routeOf('updateDataRecord'),
  annotations: replaces,
  untrusted: true,
});

export const recordTools = [listTypes, list, get, create, update];
