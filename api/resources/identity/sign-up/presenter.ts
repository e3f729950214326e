import type { SignedUp } from '../../../../domain/identity/sign-up/sign-up.js';
import type { CreateSignupResponse } from './schemas.js';

/** Of the account, what the workspace itself has said of the member: nothing that the account may know from elsewhere. */
export function presentSignup({ token, accountUuid, member, wasCreated }: SignedUp): CreateSignupResponse {
  const { id, email, phone, name, memberRoleId, labels } = member;
  return {
    token,
    account: { uuid: accountUuid, email, phone, name },
    member: { id, email, memberRoleId, labels: labels.map((label) => ({ ...label })) },
    wasCreated,
  };
}
