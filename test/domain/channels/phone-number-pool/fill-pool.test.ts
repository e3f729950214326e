import { expect, it } from 'vitest';
import { fillPool } from '../../../../domain/channels/phone-number-pool/fill-pool.js';
import { createPhoneNumber } from '../../../../domain/channels/phone-numbers/create-phone-number.js';
import { uniquePhone } from '../../../support/workspace/factories.js';
import { pooledPhone } from '../../../support/workspace/phone-number-pool.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();

async function pooled(): Promise<string[]> {
  const page = { page: 1, pageSize: 100, sortBy: 'number', sortOrder: 'asc' } as const;
  const { items } = await setup.workspace.database.identity.phoneNumberPool.list({}, page);
  return items.map(({ number }) => number);
}

it('fillPool adds the numbers of the setting and removes unused ones that it no longer names', async () => {
  const context = setup.workspace.context();
  const [kept, dropped, used] = [uniquePhone(), uniquePhone(), uniquePhone()];
  const bySuperuser = await pooledPhone(context.db);
  await fillPool(context, [kept, dropped, used]);
  await createPhoneNumber(context, { number: used, name: 'Desk' });

  await Promise.all([fillPool(context, [kept]), fillPool(context, [kept])]);

  expect(await pooled()).toEqual([kept, used, bySuperuser].sort());
});
