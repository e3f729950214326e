import type { Static } from 'typebox';
import type { AccountRow } from '../../../../db/identity/models/account.js';
import type { AccountResponse } from './schemas.js';

type Account = Static<typeof AccountResponse>;

export function presentAccount(account: AccountRow): Account {
  const { emailVerifiedAt, phoneVerifiedAt, createdAt, updatedAt: _, standsAlone: __, ...rest } = account;
  return {
    ...rest,
    loggedIn: true,
    emailVerifiedAt: emailVerifiedAt?.toISOString() ?? null,
    phoneVerifiedAt: phoneVerifiedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export function presentNobody(): Account {
  return {
    id: null,
    uuid: null,
    loggedIn: false,
    avatarUrl: null,
    email: null,
    phone: null,
    emailVerifiedAt: null,
    phoneVerifiedAt: null,
    name: null,
    createdAt: null,
    isSuperuser: false,
    enabled: false,
    signupWorkspaceId: null,
    tosAccepted: false,
    optedOut: false,
    paymentCustomerId: null,
    locale: 'en-US',
    timezone: 'UTC',
  };
}
