import type { Tx } from '../../../db/database.js';
import {
  listMembers as findMembers,
  type MemberDetails,
  type MemberFilter,
  type MemberSortField,
} from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { InvalidInput } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { normalizeAttributes } from './member-attributes.js';

/** Members by filter. Who may not read others' details finds only themselves. @throws InvalidInput */
export async function listMembers(
  context: CommandContext,
  filter: Omit<MemberFilter, 'ids'>,
  page: PageRequest<MemberSortField>,
): Promise<PageOf<MemberDetails>> {
  const { db, actor } = context;
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    findMembers(tx, await visibleMembers(tx, context, filter), page),
  );
}

/**
 * The filter as members are stored, cut down to what the actor may see: email and phone are found in any spelling that
 * a member could be given them in.
 *
 * @throws InvalidInput for what is no email or phone number
 */
export async function visibleMembers(
  tx: Tx,
  context: CommandContext,
  filter: Omit<MemberFilter, 'ids'>,
): Promise<MemberFilter> {
  const { actor, clock } = context;
  const { email, phone } = filter;
  const defaultRegion = phone === undefined ? '' : await workspaceRegion(context, tx);
  const { changes, errors } = normalizeAttributes(
    { ...(email === undefined ? {} : { email }), ...(phone === undefined ? {} : { phone }) },
    { defaultRegion, now: clock.now() },
  );
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return {
    ...filter,
    ...(changes.email == null ? {} : { email: changes.email }),
    ...(changes.phone == null ? {} : { phone: changes.phone }),
    ...(actor.can('members:read') ? {} : { ids: [actor.memberId] }),
  };
}
