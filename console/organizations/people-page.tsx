import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { SelectField } from '../kit/field.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page, Status } from '../kit/page.js';
import { filled } from '../texts/texts.js';
import { Invitations } from './invitations.js';
import { OthersPage, useOrganization } from './organization-shell.js';
import { membersPage, type OrganizationMember, pageSize, type Role } from './queries.js';
import { useOrganizationTexts } from './texts.js';

export const roles: readonly Role[] = ['owner', 'admin', 'member'];

/** Who takes part in the organization, and who is invited. */
export function PeoplePage(): ReactNode {
  const texts = useOrganizationTexts();
  const { isAdmin } = useOrganization();
  if (!isAdmin) return <OthersPage title={texts.people} whose={texts.forAdmins} />;
  return (
    <Page title={texts.people} fills>
      <Invitations />
      <Members />
    </Page>
  );
}

type Changes = Schemas['UpdateOrganizationMemberRequest'];

/** What an act on a member may change: who is signed in may be that member. */
const membersChanged = [['members'], ['organization']];

/** Sends what is changed of a member. */
function useChange() {
  const { uuid } = useOrganization();
  return (id: number, body: Changes) =>
    answer(
      api.PUT('/organizations/{organization_uuid}/organization-members/{organization_member_id}', {
        params: { path: { organization_uuid: uuid, organization_member_id: id } },
        body,
      }),
    );
}

function ChangeRole({ member, name }: { member: OrganizationMember; name: string }): ReactNode {
  const texts = useOrganizationTexts();
  const change = useChange();
  const [chosen, setChosen] = useState<Role>();
  const role = chosen ?? member.role;
  return (
    <AsksFirst
      title={texts.changeRole}
      help={texts.changeRoleHelp}
      disabled={role === member.role}
      act={() => change(member.id, { role })}
      changes={membersChanged}
      onDone={() => setChosen(undefined)}
    >
      <SelectField
        label={filled(texts.roleOf, { name })}
        pointer="/role"
        value={role}
        onChange={({ target }) => setChosen(target.value as Role)}
      >
        {roles.map((one) => (
          <option key={one} value={one}>
            {texts.roles[one]}
          </option>
        ))}
      </SelectField>
    </AsksFirst>
  );
}

function Members(): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid, isOwner } = useOrganization();
  const [told, setTold] = useState<string>();
  const change = useChange();
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
      width: '13rem',
      cell: (member) => (
        <span className="acts">
          {texts.roles[member.role]}
          {isOwner ? <ChangeRole member={member} name={nameOf(member)} /> : null}
        </span>
      ),
    },
    {
      id: 'acts',
      title: <span className="unseen">{texts.acts}</span>,
      width: '14rem',
      cell: (member) =>
        mayManage(member) ? (
          <div className="acts">
            {member.status === 'disabled' ? (
              <AsksFirst
                title={texts.enable}
                help={filled(texts.enableHelp, { name: nameOf(member) })}
                act={() => change(member.id, { status: 'active' })}
                changes={membersChanged}
              />
            ) : (
              <AsksFirst
                title={texts.disable}
                help={filled(texts.disableHelp, { name: nameOf(member) })}
                tone="danger"
                act={() => change(member.id, { status: 'disabled' })}
                changes={membersChanged}
              />
            )}
            <AsksFirst
              title={texts.remove}
              help={filled(texts.removeHelp, { name: nameOf(member) })}
              tone="danger"
              act={() => remove(member.id)}
              changes={membersChanged}
              onDone={() => setTold(filled(texts.removed, { name: nameOf(member) }))}
            />
          </div>
        ) : null,
    },
  ];
  return (
    <>
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
