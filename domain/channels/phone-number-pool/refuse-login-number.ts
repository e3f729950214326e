import type { PoolNumberRow } from '../../../db/identity/phone-number-pool.js';
import { Conflict } from '../../lib/errors.js';

/** @throws Conflict if login codes are sent from the number; only the setting can change that */
export function refuseLoginNumber({ purpose }: Pick<PoolNumberRow, 'purpose'>): void {
  if (purpose !== 'login_codes') return;
  throw new Conflict('login_number', 'Login codes are sent from this number (LOGIN_SMS_FROM).');
}
