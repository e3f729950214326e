import { pokeRunsAwaitingLabelled } from '../../../db/assignments/awaiting-runs.js';
import { memberLabelTable } from '../../../db/people/member-labels.js';
import type { LabelKind } from '../../kernel/labels.js';

/** Labels of members. The commands are those of all labels (`domain/kernel/labels.ts`). */
export const memberLabels: LabelKind = {
  title: 'Member',
  table: memberLabelTable,
  writing: 'roles:write',
  hasDescription: false,
  unknown: 'There is no such member label.',
  wakeLabelled: pokeRunsAwaitingLabelled,
};
