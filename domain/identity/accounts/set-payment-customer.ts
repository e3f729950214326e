import type { AccountRow } from '../../../db/identity/models/account.js';
import { violatedConstraint } from '../../../db/postgres-errors.js';
import { type AccountContext, requireSuperuser } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';

/**
 * Says which customer of the payment processor an account is; null: none. A person never says so: the person who names a
 * customer would pay with the card of that customer. @throws Forbidden, NotFound, InvalidInput `duplicate` if another account
 * is the customer
 */
export async function setPaymentCustomer(
  context: AccountContext,
  accountUuid: string,
  paymentCustomerId: string | null,
): Promise<AccountRow> {
  requireSuperuser(context);
  const { db, clock } = context;
  try {
    return await db.inIdentity(async (tx) => {
      const account = await db.identity.accounts.lockByUuid(accountUuid, tx);
      const changes = { paymentCustomerId, updatedAt: clock.now() };
      const changed = account && (await db.identity.accounts.update(account.id, changes, tx));
      if (changed === undefined) throw new NotFound('Account');
      const now = clock.now();
      recordAccountAudit(tx, { now }, changed.id, 'payment_customer:changed');
      const by = { now, credential: context.credential };
      const note = { subject: ['account', changed.id] } as const;
      recordAccountAudit(tx, by, context.account.id, 'payment_customer:changed', note);
      return changed;
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'accounts_payment_customer_key') throw error;
    throw InvalidInput.field('/paymentCustomerId', 'Another account is this customer.', 'duplicate');
  }
}
