import { alertColleague } from '../../../kernel/alert-colleague.js';
import { changeChat } from '../machine.js';
import type { Perform } from './effect.js';

export const alert: Perform<'alert'> = (machine, { reason, changes }) =>
  changeChat(machine, (tx, chat) => alertColleague(tx, chat, reason, changes));
