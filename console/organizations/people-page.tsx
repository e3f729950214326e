import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page, Status } from '../kit/page.js';
import { useAct } from '../kit/use-act.js';
import { filled } from '../texts/texts.js';
import { Invitations } from './invitations.js';
import { useOrganization } from './organization-shell.js';
import { membersPage, type OrganizationMember, pageSize, type Role } from './queries.js';
import { useOrganizationTexts } from './texts.js';

export const roles: readonly Role[] = ['owner', 'admin', 'member'];

/** Who takes part in the organization, and who is invited. */
export function PeoplePage(): ReactNode {
  const texts = useOrganizationTexts();
  return (
    <Page title={texts.people} fills>
      <Invitations />
      <Members />
    </Page>
  );
}

function Members(): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid, isOwner } = useOrganization();
  const [told, setTold] = useState<string>();
  const change = useAct(
    ({ id, body }: { id: number; body: Schemas['UpdateOrganizationMemberRequest'] }) =>
      answer(
        api.PUT('/organizations/{organization_uuid}/organization-members/{organization_member_id}', {
          params: { path: { organization_uuid: uuid, organization_member_id: id } },
          body,
        }),
      ),
    ['members'],
    ['organization'],
  );
  const remove = (id: number) =>
    answer(
      api.DELETE('/organizations/{organization_uuid}/organization-members/{organization_member_id}', {
        params: { path: { organization_uuid: uuid, organization_member_id: id } },
      }),
    );
  const nameOf = ({ name, email }: OrganizationMember) => name ?? email ?? texts.nameless;
  /** Admins manage plain members. */
  const mayManage = ({ role }: OrganizationMember) => isOwner || role === 'member';
  const columns: Column<OrganizationMember>[] = [
    {
      id: 'name',
      title: texts.name,
      width: '11rem',
      cell: (member) => (
        <>
          {nameOf(member)}{' '}
          {member.status === 'disabled' ? <Status tone="danger">{texts.disabled}</Status> : null}
        </>
      ),
    },
    { id: 'email', title: texts.email, width: '12rem', cell: ({ email }) => email },
    { id: 'joinedBy', title: texts.joinedBy, width: '9rem', cell: ({ joinedBy }) => texts.ways[joinedBy] },
    {
      id: 'role',
      title: texts.role,
      width: '9rem',
      cell: (member) =>
        isOwner ? (
          <select
            aria-label={filled(texts.roleOf, { name: nameOf(member) })}
            value={member.role}
            disabled={change.isPending}
            onChange={({ target }) => change.mutate({ id: member.id, body: { role: target.value as Role } })}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {texts.roles[role]}
              </option>
            ))}
          </select>
        ) : (
          texts.roles[member.role]
        ),
    },
    {
      id: 'acts',
      title: <span className="unseen">{texts.acts}</span>,
      width: '14rem',
      cell: (member) =>
        mayManage(member) ? (
          <div className="acts">
            <button
              type="button"
              disabled={change.isPending}
              onClick={() => {
                const status = member.status === 'disabled' ? 'active' : 'disabled';
                change.mutate({ id: member.id, body: { status } });
              }}
            >
              {member.status === 'disabled' ? texts.enable : texts.disable}
            </button>
            <AsksFirst
              title={texts.remove}
              help={filled(texts.removeHelp, { name: nameOf(member) })}
              tone="danger"
              act={() => remove(member.id)}
              changes={[['members']]}
              onDone={() => setTold(filled(texts.removed, { name: nameOf(member) }))}
            />
          </div>
        ) : null,
    },
  ];
  return (
    <>
      <ErrorNotice error={change.error} />
      {told === undefined ? null : <p role="status">{told}</p>}
      <Grid
        label={texts.people}
        columns={columns}
        pageSize={pageSize}
        page={(page) => membersPage(uuid, page)}
        empty={texts.nobody}
      />
    </>
  );
}
