import { keptByErasure } from '../../../../db/person-data/catalogue.js';
import type { PersonErasureRow } from '../../../../db/person-data/person-erasures.js';
import { eraseMember } from '../../../../domain/person-data/erase-member.js';
import { getErasure } from '../../../../domain/person-data/read-erasure.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { EraseMemberRequest, ErasureResponse } from './schemas.js';

const shared = {
  path: '/w/{workspace_uuid}/members/{member_id}/erase',
  tag: 'Personal data',
  access: workspaceMember({ scope: 'person_data:erase', permission: 'person_data:erase' }),
} as const;

const erase = defineRoute({
  ...shared,
  operationId: 'eraseMember',
  audit: ['member:erased'],
  method: 'POST',
  summary: 'Erase what is stored about a member',
  description:
    'This cannot be undone. The member is deleted at once, its sessions and tokens end, its assignments are cancelled and nothing more is sent to it; then a durable run erases records, messages, files, events and everything else about it, which `GET` of the same path follows. `kept` lists what stays: ids, numbers for billing, and who did what. A member that was deleted before can be erased. Repeating the call changes nothing while the erasure runs, and afterwards looks for what came since.',
  body: EraseMemberRequest,
  example: {
    params: { member_id: demo.memberToErase },
    body: { confirm: String(demo.memberToErase) },
    once: true,
  },
  response: { status: 202, schema: ErasureResponse },
  errors: {
    409: "No admin would remain (`last_admin`), or the member is an assistant (`member_is_assistant`) or the caller's own (`own_member`).",
  },
  handler: async ({ context, params, body }) =>
    presentErasure(await eraseMember(context, params.member_id, body)),
});

const get = defineRoute({
  ...shared,
  operationId: 'getErasure',
  method: 'GET',
  summary: 'Get the erasure of a member',
  example: { params: { member_id: demo.erasedMember } },
  response: { status: 200, schema: ErasureResponse },
  handler: async ({ context, params }) => presentErasure(await getErasure(context, params.member_id)),
});

function presentErasure(erasure: PersonErasureRow) {
  const { counts: erased, erasedAt, finishedAt } = erasure;
  const state = finishedAt !== null ? 'finished' : erasedAt !== null ? 'erased' : 'erasing';
  const kept = keptByErasure.map(({ table, what }) => ({ store: table, what }));
  return { ...erasure, state, erased, kept } as const;
}

export const eraseRoutes = [erase, get];
