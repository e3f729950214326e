import type { FieldError } from '../../lib/errors.js';

/** The field errors for labels that are none of the workspace's. */
export function unknownLabels(
  labelIds: readonly number[],
  known: { has(labelId: number): boolean },
): FieldError[] {
  return labelIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/labelIds/${index}`, message: 'There is no such member label.' }],
  );
}
