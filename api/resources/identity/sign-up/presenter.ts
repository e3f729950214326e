import type { SignedUp } from '../../../../domain/identity/sign-up/sign-up.js';
import type { CreateSignupResponse } from './schemas.js';

/** Presents only what this workspace has stored, and nothing that the account has from other workspaces. */
export function presentSignup({ token, accountUuid, member, wasCreated }: SignedUp): CreateSignupResponse {
  const { id, email, phone, name, memberRoleId, labels } = member;
  return {
    token,
    account: { uuid: accountUuid, email, phone, name },
    member: { id, email, memberRoleId, labels: labels.map((label) => ({ ...label })) },
    wasCreated,
  };
}
