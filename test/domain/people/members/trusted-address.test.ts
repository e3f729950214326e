import { expect, it } from 'vitest';
import type { Tx } from '../../../../db/database.js';
import { insertUnprovedIdentifiers } from '../../../../db/people/unproved-identifiers.js';
import { isTrustedAddress, isTrustedMember } from '../../../../domain/people/members/trusted-address.js';
import { addMemberRow, uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
const within = <T>(work: (tx: Tx) => Promise<T>) =>
  setup.workspace.database.inWorkspace(setup.workspace.workspaceId, work);
const member = (addresses: { email: string | null; phone: string | null }) =>
  addMemberRow(setup.workspace, { memberRoleId: setup.workspace.roles.member.id, ...addresses });

it('trusts an address that the workspace wrote, and none that a form gave or that the member does not have', async () => {
  const [email, phone] = [uniqueEmail(), uniquePhone()];
  const { id: memberId } = await member({ email, phone });
  const given = { memberId, channel: 'phone', address: phone } as const;
  await within((tx) => insertUnprovedIdentifiers(tx, [given], new Date()));

  const asked = await within(async (tx) => [
    await isTrustedAddress(tx, { memberId, channel: 'email', address: email }),
    await isTrustedAddress(tx, given),
    await isTrustedAddress(tx, { memberId, channel: 'email', address: uniqueEmail() }),
  ]);

  expect(asked).toEqual([true, false, false]);
  expect(await within((tx) => isTrustedMember(tx, memberId))).toBe(true);
});

it('trusts no member that has no address, or only what a form gave', async () => {
  const phone = uniquePhone();
  const visitor = await member({ email: null, phone: null });
  const given = await member({ email: null, phone });
  await within((tx) =>
    insertUnprovedIdentifiers(tx, [{ memberId: given.id, channel: 'phone', address: phone }], new Date()),
  );

  const asked = await within(async (tx) => [
    await isTrustedMember(tx, visitor.id),
    await isTrustedMember(tx, given.id),
    await isTrustedMember(tx, 0),
  ]);

  expect(asked).toEqual([false, false, false]);
});
