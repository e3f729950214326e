import type { Labelled } from '../labels.js';
import { column, tenantTable } from '../table.js';
import type { RowOf } from '../table-model.js';

/** A label that was deleted or whose slug has changed. A trigger inserts it. */
export class PendingLabelUpdateModel extends tenantTable('label_changes', {
  kind: column<Labelled>('code'),
  labelId: column<number>(),
  labelUuid: column<string>(),
  deleted: column<boolean>(),
  /** Up to which id those that have the label were visited. */
  doneTo: column<number>(),
}) {}

export type LabelChange = RowOf<PendingLabelUpdateModel>;
