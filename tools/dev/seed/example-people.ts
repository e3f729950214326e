import { createHash, randomBytes } from 'node:crypto';
import { demo } from '../../../api/http/demo.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { createMemberRole } from '../../../domain/people/member-roles/create-member-role.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { retireDataRecord } from '../../../domain/records/data-records/record-retirement.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { expectId } from './expect-id.js';

const yearMs = 365 * 86_400_000;

export async function buildPeople(context: CommandContext): Promise<void> {
  const reception = await createMemberRole(context, {
    name: 'Reception',
    permissions: ['members:read', 'chats:read'],
  });
  expectId('role', reception, demo.memberRoleId);
  const trainee = await createMemberRole(context, { name: 'Trainee', permissions: [] });
  expectId('role to delete', trainee, demo.memberRoleToDelete);
  const label = await createLabel(context, memberLabels, { name: 'New patient' });
  expectId('member label', label, demo.memberLabelId);
  const toDelete = await createLabel(context, memberLabels, { name: 'Moved away' });
  expectId('member label to delete', toDelete, demo.memberLabelToDelete);

  const kim = await createMember(context, {
    name: 'Kim Sample',
    phone: '+15555550133',
    labelIds: [label.id],
  });
  expectId('member', kim, demo.memberId);
  expectId('member to disable', await createMember(context, { name: 'Lee Sample' }), demo.memberToDisable);
  expectId('member to delete', await createMember(context, { name: 'Noa Sample' }), demo.memberToDelete);
  await letSignIn(context, kim.id);
}

/** Gives a member an unused token and an open session, which only the examples end. */
async function letSignIn({ db, actor, clock }: CommandContext, memberId: number): Promise<void> {
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + 10 * yearMs);
  const hash = () => createHash('sha256').update(randomBytes(32)).digest();
  const grants = { roleGrants: [], granted: [], apiKeyId: null };
  const { workspaceId } = actor;
  await db.inWorkspace(workspaceId, async (tx) => {
    const { sessions, memberTokens } = db.identity;
    await memberTokens.insert({ hash: hash(), memberId, ...grants, expiresAt, createdAt }, tx);
    const owner = { accountId: null, workspaceId, memberId };
    const session = {
      ...grants,
      ...owner,
      hash: hash(),
      userAgent: 'Firefox on Linux',
      createdAt,
      expiresAt,
    };
    const { id } = await sessions.insert(session, tx);
    await tx('identity.sessions').where({ id }).update({ uuid: demo.memberSessionUuid });
  });
}

export async function buildRecords(context: CommandContext): Promise<void> {
  const visits = await createDataType(context, {
    name: 'Visits',
    slug: 'visits',
    isCollection: true,
    fields: [
      { slug: 'reason', name: 'Reason', fieldType: 'text', required: true, shouldIndex: true },
      {
        slug: 'status',
        name: 'Status',
        fieldType: 'select',
        options: ['planned', 'done'],
        shouldIndex: true,
      },
      { slug: 'day', name: 'Day', fieldType: 'date', shouldIndex: true },
    ],
  });
  expectId('data type', visits, demo.dataTypeId);
  const feedback = await createDataType(context, {
    name: 'Feedback',
    slug: 'feedback',
    isCollection: true,
    fields: [{ slug: 'text', name: 'Text', fieldType: 'textarea' }],
  });
  expectId('data type to delete', feedback, demo.dataTypeToDelete);

  const places = [demo.recordId, demo.recordToRetire, demo.recordToRestore, demo.recordToDelete];
  for (const [index, expected] of places.entries()) {
    const record = await createDataRecord(context, visits.id, {
      memberId: demo.memberId,
      externalId: `visit-${index + 1}`,
      fieldValues: { reason: 'Check-up', status: 'planned', day: `2030-05-0${index + 1}` },
    });
    expectId('record', record, expected);
  }
  await retireDataRecord(context, visits.id, demo.recordToRestore, 'Cancelled by the patient');
}
