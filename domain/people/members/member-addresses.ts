import { selectEmailOptOuts } from '../../../db/channels/email-opt-outs.js';
import { hasProvedAddress } from '../../../db/identity/accounts.js';
import type { LoginChannel } from '../../../db/identity/models/login-code.js';
import type { MemberRow } from '../../../db/people/members.js';
import { selectUnprovedIdentifiers } from '../../../db/people/unproved-identifiers.js';
import type { Tx } from '../../../db/tx.js';
import { addressChannels } from './unproved-identifiers.js';

/** An address that is known of a member (docs/decisions/0060-identifiers-are-bound-by-proof.md). */
export interface AddressView {
  channel: LoginChannel;
  value: string;
  state: 'given' | 'vouched' | 'proved' | 'disputed';
  /** Whether it is not in the member's row, so that nothing is sent to it. */
  isPending: boolean;
  bouncedAt: Date | null;
  optedOutAt: Date | null;
}

/** Whether there is nothing to tell of an address: the workspace vouches for it, and nothing keeps messages from it. */
export function isPlain({ state, bouncedAt, optedOutAt }: AddressView): boolean {
  return state === 'vouched' && bouncedAt === null && optedOutAt === null;
}

type Person = Pick<MemberRow, 'id' | 'email' | 'phone' | 'smsOptedOutAt'>;

/** Lists the addresses in the member's row, then those that forms gave. */
export async function memberAddresses(tx: Tx, member: Person, now: Date): Promise<AddressView[]> {
  const unproved = await selectUnprovedIdentifiers(tx, member.id);
  const views: AddressView[] = [];
  for (const channel of addressChannels) {
    const value = member[channel];
    if (value === null) continue;
    const isGiven = unproved.some((one) => one.channel === channel && one.address === value);
    const isProved = !isGiven && (await hasProvedAddress(tx, member.id, { channel, address: value }));
    const state = isGiven ? 'given' : isProved ? 'proved' : 'vouched';
    views.push({ channel, value, state, isPending: false, ...(await refusalsAt(tx, member, channel, now)) });
  }
  for (const { channel, address: value, disputedAt } of unproved) {
    if (member[channel] === value) continue;
    const state = disputedAt === null ? 'given' : 'disputed';
    views.push({ channel, value, state, isPending: true, bouncedAt: null, optedOutAt: null });
  }
  return views;
}

async function refusalsAt(
  tx: Tx,
  { email, smsOptedOutAt }: Person,
  channel: LoginChannel,
  now: Date,
): Promise<Pick<AddressView, 'bouncedAt' | 'optedOutAt'>> {
  if (channel === 'phone') return { bouncedAt: null, optedOutAt: smsOptedOutAt };
  const found = email === null ? [] : await selectEmailOptOuts(tx, email, now);
  const bounce = found.find(({ source }) => source === 'bounce');
  const own = found.find(({ source }) => source !== 'bounce');
  return { bouncedAt: bounce?.optedOutAt ?? null, optedOutAt: own?.optedOutAt ?? null };
}
