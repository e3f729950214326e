import { column, identityTable } from '../../lib/table.js';

export class LoginLimitModel extends identityTable('login_limits', {
  key: column<Buffer>('digest'),
  count: column<number>(),
  /** When the count starts again. */
  expiresAt: column<Date>(),
}) {}
