import { allDataTypes, pinDataType } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import { isPermission, isScope } from '../../kernel/scopes.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { mappingUniqueViolation } from '../../lib/unique-violation.js';

/** Returns the permissions of a role without duplicates. @throws InvalidInput for unknown permissions and data types */
export async function checkPermissions(tx: Tx, permissions: readonly string[]): Promise<string[]> {
  const perType = permissions.some((permission) => !isScope(permission));
  const types = new Map(perType ? (await allDataTypes(tx)).map((type) => [type.slug, type.id]) : []);
  const errors: FieldError[] = [];
  for (const [index, permission] of permissions.entries()) {
    const pointer = `/permissions/${index}`;
    if (!isPermission(permission)) {
      errors.push({ pointer, message: 'This is not a permission of the service.' });
    } else if (!isScope(permission) && !(await stays(tx, types.get(permission.split(':')[2] ?? '')))) {
      errors.push({ pointer, message: 'There is no data type with this slug.' });
    }
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return [...new Set(permissions)];
}

/** Whether the data type exists. Pins it, so that it cannot be deleted before the role is written. */
async function stays(tx: Tx, dataTypeId: number | undefined): Promise<boolean> {
  return dataTypeId !== undefined && (await pinDataType(tx, dataTypeId)) !== undefined;
}

export const reportingTakenName = mappingUniqueViolation({
  constraint: 'member_roles_workspace_id_name_key',
  pointer: '/name',
  message: 'Another role of the workspace has this name.',
});
