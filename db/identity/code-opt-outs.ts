import { changedBy, prepared } from '../statement.js';
import type { AnyTx, IdentityTx } from '../tx.js';
import { CodeOptOutModel } from './models/code-opt-out.js';

export interface CodeOptOut {
  sender: string;
  recipient: string;
  optsOut: boolean;
  heardAt: Date;
}

/** The phone numbers that have opted out of login codes, whether or not they belong to a known account. */
export class CodeOptOuts {
  /** Whether a number has opted out of the number that currently sends login codes. */
  async has(recipient: string, tx: AnyTx): Promise<boolean> {
    const found = await prepared(
      tx,
      `select 1 from identity.code_opt_outs o
       join identity.phone_number_pool p on p.number = o.sender and p.purpose = 'login_codes'
       where o.recipient = ? and o.opted_out_at is not null`,
      [recipient],
    );
    return found.length > 0;
  }

  /** Records an opt-out or its end, unless a later one is recorded. @returns whether that changed the number's state */
  async note({ sender, recipient, optsOut, heardAt }: CodeOptOut, tx: IdentityTx): Promise<boolean> {
    const number = [sender, recipient];
    const before = await CodeOptOutModel.first(tx, 'sender = ? and recipient = ? for update', number);
    const wasOptedOut = before !== undefined && before.optedOutAt !== null;
    const noted = await changedBy(
      tx,
      `insert into identity.code_opt_outs as o (sender, recipient, opted_out_at, heard_at) values (?, ?, ?, ?)
       on conflict (sender, recipient) do update
         set opted_out_at = excluded.opted_out_at, heard_at = excluded.heard_at
         where o.heard_at <= excluded.heard_at`,
      [sender, recipient, optsOut ? heardAt : null, heardAt],
    );
    return noted > 0 && optsOut !== wasOptedOut;
  }
}
