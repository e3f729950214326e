import { column, identityTable } from '../../lib/table.js';

export class CodeOptOutModel extends identityTable('code_opt_outs', {
  sender: column<string>('configuration'),
  recipient: column<string>('configuration'),
  optedOutAt: column<Date | null>(),
  heardAt: column<Date>(),
}) {}
