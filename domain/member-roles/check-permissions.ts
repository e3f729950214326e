import type { Tx } from '../../db/database.js';
import { allDataTypes } from '../../db/queries/data-types.js';
import { type FieldError, InvalidInput } from '../errors.js';
import { isPermission, isScope } from '../scopes.js';

/**
 * A role's permissions, each once.
 *
 * @throws InvalidInput for strings that are no permission and for data types that do not exist
 */
export async function checkPermissions(tx: Tx, permissions: readonly string[]): Promise<string[]> {
  const perType = permissions.some((permission) => !isScope(permission));
  const slugs = new Set(perType ? (await allDataTypes(tx)).map((type) => type.slug) : []);
  const errors: FieldError[] = [];
  for (const [index, permission] of permissions.entries()) {
    const pointer = `/permissions/${index}`;
    if (!isPermission(permission)) {
      errors.push({ pointer, message: 'This is not a permission of the service.' });
    } else if (!isScope(permission) && !slugs.has(permission.split(':')[2] ?? '')) {
      errors.push({ pointer, message: 'There is no data type with this slug.' });
    }
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return [...new Set(permissions)];
}
