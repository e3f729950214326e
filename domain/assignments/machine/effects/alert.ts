import { callPerson } from '../../../kernel/call-person.js';
import { changeChat } from '../machine.js';
import type { Perform } from './effect.js';

export const alert: Perform<'alert'> = (machine, { reason, changes }) =>
  changeChat(machine, (tx, chat) => callPerson(tx, chat, reason, changes));
