import { column, tenantTable } from '../../lib/table.js';

/** How far the slots of a sender are taken: a row is made with its first. */
export class SenderPaceModel extends tenantTable('sender_paces', {
  sender: column<string>('configuration'),
  /** Where the next slot begins. */
  nextAt: column<Date>(),
  /** The same for messages that have missed their slots. */
  lateAt: column<Date | null>(),
  /** Until when it begins no exchange. */
  pausedUntil: column<Date | null>(),
}) {}
