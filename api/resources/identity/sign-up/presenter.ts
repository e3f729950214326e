import type { SignedUp } from '../../../../domain/identity/sign-up/sign-up.js';
import type { CreateSignupResponse } from './schemas.js';

/**
 * Presents only account data that this workspace itself has stored about the member, and none that the account has from
 * other workspaces.
 */
export function presentSignup({ token, accountUuid, member, wasCreated }: SignedUp): CreateSignupResponse {
  const { id, email, phone, name, memberRoleId, labels } = member;
  return {
    token,
    account: { uuid: accountUuid, email, phone, name },
    member: { id, email, memberRoleId, labels: labels.map((label) => ({ ...label })) },
    wasCreated,
  };
}
