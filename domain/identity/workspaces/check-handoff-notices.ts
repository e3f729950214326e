import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import type { HandoffNotices } from '../../../db/identity/models/workspace.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { findPeople } from '../../../db/people/people.js';
import type { Tx } from '../../../db/tx.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { parseUrl } from '../../lib/parse-url.js';

/** What callers give; what is left out has its default. */
export interface HandoffNoticesInput {
  channels: HandoffNotices['channels'];
  memberRoleIds?: number[];
  memberIds?: number[];
  reasons?: string[];
  everyMinutes?: number;
  heldEmails?: boolean;
  phoneNumberId?: number | null;
  queueUrl?: string | null;
}

const defaultMinutes = 15;

/**
 * Validates who is told of waiting chats, and returns the setting in stored form. A role that does not read chats is refused:
 * often it is that of the people whom the chats are with. @throws InvalidInput with every problem
 */
export async function checkHandoffNotices(tx: Tx, input: HandoffNoticesInput): Promise<HandoffNotices> {
  const setting: HandoffNotices = {
    channels: [...new Set(input.channels)],
    memberRoleIds: [...new Set(input.memberRoleIds ?? [])],
    memberIds: [...new Set(input.memberIds ?? [])],
    reasons: [...new Set(input.reasons ?? ['handoff', 'approval'])],
    everyMinutes: input.everyMinutes ?? defaultMinutes,
    heldEmails: input.heldEmails ?? true,
    phoneNumberId: input.phoneNumberId ?? null,
    queueUrl: input.queueUrl ?? null,
  };
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) =>
    errors.push({ pointer: `/handoffNotices/${field}`, message });
  const roles = await selectMemberRoles(tx);
  for (const [index, id] of setting.memberRoleIds.entries()) {
    const role = roles.find((one) => one.id === id);
    if (role === undefined) refuse(`memberRoleIds/${index}`, 'is no role of the workspace');
    else if (!role.permissions.includes('chats:read')) {
      refuse(`memberRoleIds/${index}`, 'is a role without the permission chats:read');
    }
  }
  const found = await findPeople(tx, { ids: setting.memberIds, emails: [], phones: [], externalIds: [] });
  const known = new Set(found.map(({ id }) => id));
  for (const [index, id] of setting.memberIds.entries()) {
    if (!known.has(id)) refuse(`memberIds/${index}`, 'is no person of the workspace');
  }
  const writes = setting.channels.some((channel) => channel !== 'event');
  if (writes && setting.memberRoleIds.length + setting.memberIds.length === 0) {
    refuse('memberRoleIds', 'or memberIds must name somebody');
  }
  if (setting.channels.includes('sms') && setting.phoneNumberId === null) {
    refuse('phoneNumberId', 'is needed for SMS');
  }
  const { phoneNumberId } = setting;
  if (phoneNumberId !== null && (await findPhoneNumber(tx, phoneNumberId)) === undefined) {
    refuse('phoneNumberId', 'is no phone number of the workspace');
  }
  if (setting.queueUrl && !isAddressOfPeople(setting.queueUrl)) {
    refuse('queueUrl', 'must begin with https:// and have no password');
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return setting;
}

/** It stands in mails, and nothing in the service asks it. */
function isAddressOfPeople(text: string): boolean {
  const url = parseUrl(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/\s/.test(text);
}
