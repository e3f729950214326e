import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, isGone } from '../../kit/api.js';
import { CopyButton } from '../../kit/copy-button.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Form, SelectField } from '../../kit/field.js';
import { Facts, Page, Section, Status } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { At } from '../../kit/times.js';
import { useAct } from '../../kit/use-act.js';
import { useWorkspace } from '../../kit/workspace.js';
import { Enablement } from '../../members/enablement.js';
import { type Member, memberQuery, rolesQuery } from '../../members/queries.js';
import { filled } from '../../texts/texts.js';
import { Access } from './access.js';
import { usePeopleTexts } from './texts.js';

/** One colleague: the role, how it comes in, and what lets it in. */
export function ColleaguePage(): ReactNode {
  const texts = usePeopleTexts();
  const { uuid, can } = useWorkspace();
  const { memberId } = useParams({ from: '/w/$workspace/settings/people/$memberId' });
  const member = useQuery(memberQuery(uuid, Number(memberId)));
  const { data } = member;
  const above = (
    <Link to="/w/$workspace/settings/people" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
  if (data === undefined || isGone(member.error)) {
    return (
      <Page title={texts.colleague} above={above}>
        {isGone(member.error) ? <p>{texts.gone}</p> : <Read query={member}>{() => null}</Read>}
      </Page>
    );
  }
  const mayWrite = can('members:write');
  return (
    <Page
      above={above}
      title={
        <>
          {data.name ?? data.email ?? data.phone ?? texts.nameless}{' '}
          {data.disabledAt === null ? null : <Status tone="danger">{texts.disabled}</Status>}
        </>
      }
      acts={mayWrite ? <Enablement member={data} /> : undefined}
    >
      <Read query={member}>{() => <Person member={data} />}</Read>
      {mayWrite ? <RoleOf key={data.memberRoleId} member={data} /> : null}
      {mayWrite ? <Access memberId={data.id} /> : null}
    </Page>
  );
}

function Person({ member }: { member: Member }): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  const { id, name, email, phone, memberRoleName, createdAt, disabledAt, addresses = [] } = member;
  const hasSignedIn = addresses.some(({ state, isPending }) => state === 'proved' && !isPending);
  const address = email ?? phone;
  // Who is not signed in is asked to, and led back.
  const place = `${location.origin}/console/w/${uuid}`;
  return (
    <Section
      title={texts.person}
      acts={
        <Link to="/w/$workspace/members/$memberId" params={{ workspace: uuid, memberId: String(id) }}>
          {texts.toMember}
        </Link>
      }
    >
      <Facts
        facts={[
          [texts.email, email],
          [texts.phone, phone],
          [texts.role, memberRoleName],
          [texts.since, <At key="since" at={createdAt} withDay />],
          [
            texts.signedIn,
            <Status key="signedIn" tone={hasSignedIn ? 'done' : 'warning'}>
              {hasSignedIn ? texts.hasSignedIn : texts.hasNotSignedIn}
            </Status>,
          ],
        ]}
      />
      {hasSignedIn || address === null || disabledAt !== null ? null : (
        <>
          <p>{filled(texts.tell, { name: name ?? address, address })}</p>
          <p className="acts">
            <code dir="ltr">{place}</code>
            <CopyButton text={place} />
          </p>
        </>
      )}
    </Section>
  );
}

/** Another role, which holds from the next request on. */
function RoleOf({ member: { id, memberRoleId, memberRoleName } }: { member: Member }): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  const { data: roles, error } = useQuery(rolesQuery(uuid));
  const [roleId, setRoleId] = useState(memberRoleId);
  const save = useAct(
    () =>
      answer(
        api.PUT('/w/{workspace_uuid}/members/{member_id}', {
          params: { path: { workspace_uuid: uuid, member_id: id } },
          body: { memberRoleId: roleId },
        }),
      ),
    ['members'],
    ['member'],
    ['me'],
  );
  return (
    <Section title={texts.role}>
      <ErrorNotice error={error} />
      <Form error={save.error} onSubmit={() => save.mutate()}>
        <SelectField
          label={texts.role}
          pointer="/memberRoleId"
          hint={texts.roleHint}
          disabled={roles === undefined}
          value={roleId}
          onChange={({ target }) => {
            save.reset();
            setRoleId(Number(target.value));
          }}
        >
          {roles?.some((role) => role.id === memberRoleId) ? null : (
            <option value={memberRoleId}>{memberRoleName}</option>
          )}
          {roles?.map((role) => (
            <option key={role.id} value={role.id}>
              {role.name}
            </option>
          ))}
        </SelectField>
        <div className="acts">
          <button type="submit" disabled={save.isPending || roleId === memberRoleId}>
            {texts.saveRole}
          </button>
        </div>
      </Form>
    </Section>
  );
}
