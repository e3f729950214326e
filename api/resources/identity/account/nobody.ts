import type { AnswerOf } from '../../../http/schemas.js';
import type { AccountResponse } from './schemas.js';

/** Who calls without a credential. */
export const nobody: AnswerOf<typeof AccountResponse> = {
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
