import type { SignedUp } from '../../../../domain/identity/sign-up/sign-up.js';
import { signUp } from '../../../../domain/identity/sign-up/sign-up.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { CreateSignupRequest, CreateSignupResponse } from './schemas.js';

const createSignup = defineRoute({
  operationId: 'createSignup',
  audit: ['member_token:created'],
  method: 'POST',
  path: '/w/{workspace_uuid}/create-signup',
  tag: 'Members',
  summary: 'Sign a person up',
  description:
    'Finds the member by email, phone or externalId, or creates one: the status is 201 either way, and `wasCreated` says which. For an existing member, labels are added, empty attributes are filled in, and the role does not change; name, date of birth and locale are overwritten only with the permission members:write. An email or phone that differs from the stored one is not an error: it is pending until the person confirms it (`addresses` of the member), and the answer shows the stored value. With the permission members:write, the caller vouches for the email and phone of a new member; otherwise they are given, and proof of one decides who may sign in as the member. A sign-up without that permission that brings data under an address which somebody else’s member has, unproved, makes a member of its own. An externalId is set if the member has none. A record in `data` is matched by its externalId; otherwise, if the type allows one record per member, it is the member’s record.',
  access: workspaceMember({ scope: 'account:create', permission: 'account:create' }),
  body: CreateSignupRequest,
  secretAnswer: true,
  example: {
    body: {
      member: { externalId: 'patient-1', name: 'Ola Sample', locale: 'en-US', labels: ['new-patient'] },
      data: {
        visits: { externalId: 'patient-1-visit-1', values: { reason: 'Check-up', status: 'planned' } },
      },
    },
  },
  response: { status: 201, schema: CreateSignupResponse },
  errors: {
    409: 'The member has an admin role, or is an assistant (`member_is_admin`); or a record is retired.',
  },
  handler: async ({ context, body }) => presentSignup(await signUp(context, body)),
});

/** Shows only what this workspace has stored, and nothing that the account has from other workspaces. */
function presentSignup({ accountUuid, ...signedUp }: SignedUp) {
  const { email, phone, name } = signedUp.member;
  return { ...signedUp, account: { uuid: accountUuid, email, phone, name } };
}

export const createSignupRoutes = [createSignup];
