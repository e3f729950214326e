import type { FieldError } from '../../../lib/errors.js';

/** The field errors for labels that do not exist in the workspace. */
export function unknownLabels(
  labelIds: readonly number[],
  known: { has(labelId: number): boolean },
): FieldError[] {
  return labelIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/labelIds/${index}`, message: 'There is no such member label.' }],
  );
}
