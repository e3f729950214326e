import { useWorkspace } from '../kit/workspace.js';
import type { DataType } from './queries.js';

/** What the signed-in member may do with the records of a type. */
export function useAccess(type: Pick<DataType, 'slug'> | undefined) {
  const { can } = useWorkspace();
  return {
    writesAll: can('records:write') || (type !== undefined && can(`data:write:${type.slug}`)),
    editsTypes: can('datatypes:write'),
    deletes: can('records:admin'),
  };
}
