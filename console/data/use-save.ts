import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../kit/api.js';
import { useWorkspace } from '../kit/workspace.js';
import type { DataRecord, DataType } from './queries.js';

/** Changes values of a record; those that are not given stay. */
export function useSave(type: DataType, record: DataRecord) {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fieldValues: Record<string, unknown>) => {
      const params = { path: { workspace_uuid: uuid, data_type_id: type.id, record_id: record.id } };
      const path = '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}';
      return answer(api.PUT(path, { params, body: { fieldValues } }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [uuid, 'records', type.id] }),
  });
}
