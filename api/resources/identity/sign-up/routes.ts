import { signUp } from '../../../../domain/identity/sign-up/sign-up.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentSignup } from './presenter.js';
import { CreateSignupRequest, CreateSignupResponse } from './schemas.js';

const createSignup = defineRoute({
  operationId: 'createSignup',
  method: 'POST',
  path: '/w/{workspace_uuid}/create-signup',
  tag: 'Members',
  summary: 'Sign a person up',
  description:
    'The member that has the email, phone or externalId, or a new one. Of a member that exists, labels are added, empty attributes are filled in, and the role stays; name, date of birth and locale are overwritten only with the permission members:write. An email or phone that differs from the stored one is no error: it is kept as pending until the person proves it, and the answer shows what is stored. An externalId is added where the member has none. A record in `data` is matched by its externalId, else, where the type holds one a member, it is the member’s one record.',
  access: workspaceMember({ scope: 'account:create', permission: 'account:create' }),
  body: CreateSignupRequest,
  secretAnswer: true,
  response: { status: 201, schema: CreateSignupResponse },
  errors: {
    409: 'The member has an admin role, or is an assistant (`member_is_admin`); or a record is retired.',
  },
  handler: async ({ context, body }) => presentSignup(await signUp(context, body)),
});

export const createSignupRoutes = [createSignup];
