import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Form, InputField } from '../../kit/field.js';
import { Page, Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { useAct } from '../../kit/use-act.js';
import { useWorkspace } from '../../kit/workspace.js';
import { rolesQuery } from '../../members/queries.js';
import { filled } from '../../texts/texts.js';
import type { Role } from './grants.js';
import { useRoleTexts } from './texts.js';

/** One role: its name, who has it, and its end. */
export function RolePage(): ReactNode {
  const texts = useRoleTexts();
  const { uuid } = useWorkspace();
  const { roleId } = useParams({ from: '/w/$workspace/settings/roles/$roleId' });
  const roles = useQuery(rolesQuery(uuid));
  const role = roles.data?.find(({ id }) => id === Number(roleId));
  const above = (
    <Link to="/w/$workspace/settings/roles" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
  if (role !== undefined) return <OneRole key={role.id} role={role} above={above} />;
  return (
    <Page title={texts.role} above={above}>
      <Read query={roles}>{() => <p>{texts.gone}</p>}</Read>
    </Page>
  );
}

/** How many people have a role. */
function useCount(roleId: number) {
  const { uuid, can } = useWorkspace();
  return useQuery({
    // Others find themselves alone.
    enabled: can('members:read'),
    queryKey: [uuid, 'members', 'with-role', roleId],
    queryFn: ({ signal }) => {
      const query = { memberRoleId: [roleId], pageSize: 1 };
      const params = { path: { workspace_uuid: uuid }, query };
      return answer(api.GET('/w/{workspace_uuid}/members', { params, signal }));
    },
    select: ({ total }) => total,
  });
}

function OneRole({ role, above }: { role: Role; above: ReactNode }): ReactNode {
  const texts = useRoleTexts();
  const { uuid, can } = useWorkspace();
  const count = useCount(role.id);
  return (
    <Page title={role.name} above={above} acts={can('roles:write') ? <Remove role={role} /> : undefined}>
      {can('members:read') ? (
        <Section title={texts.whoHasIt}>
          <Read query={count}>
            {(total) => (
              <p>
                <Link to="/w/$workspace/members" params={{ workspace: uuid }} search={{ role: role.id }}>
                  {filled(texts.members, { count: total })}
                </Link>
              </p>
            )}
          </Read>
        </Section>
      ) : null}
      {can('roles:write') ? <Rename role={role} /> : null}
    </Page>
  );
}

function Rename({ role: { id, name } }: { role: Role }): ReactNode {
  const texts = useRoleTexts();
  const { uuid } = useWorkspace();
  const [text, setText] = useState(name);
  const rename = useAct(
    () => {
      const params = { path: { workspace_uuid: uuid, member_role_id: id } };
      const body = { name: text.trim() };
      return answer(api.PUT('/w/{workspace_uuid}/member-roles/{member_role_id}', { params, body }));
    },
    ['member-roles'],
    ['members'],
    ['member'],
    ['me'],
  );
  return (
    <Section title={texts.rename}>
      <Form error={rename.error} onSubmit={() => rename.mutate()}>
        <InputField
          label={texts.name}
          pointer="/name"
          required
          maxLength={100}
          value={text}
          onChange={({ target }) => {
            rename.reset();
            setText(target.value);
          }}
        />
        <div className="acts">
          <button type="submit" disabled={rename.isPending || text.trim() === name}>
            {texts.save}
          </button>
          {rename.isSuccess ? <span role="status">{texts.saved}</span> : null}
        </div>
      </Form>
    </Section>
  );
}

function Remove({ role: { id, name } }: { role: Role }): ReactNode {
  const texts = useRoleTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const { data: count, error } = useCount(id);
  const help = count === undefined ? texts.removeHelp : count === 0 ? texts.removeUnused : texts.removeUsed;
  const path = { workspace_uuid: uuid, member_role_id: id };
  return (
    <AsksFirst
      title={texts.remove}
      help={filled(help, { name, count: count ?? 0 })}
      tone="danger"
      act={async () => {
        await answer(api.DELETE('/w/{workspace_uuid}/member-roles/{member_role_id}', { params: { path } }));
        await navigate({ to: '/w/$workspace/settings/roles', params: { workspace: uuid } });
      }}
      changes={[['member-roles']]}
    >
      <ErrorNotice error={error} />
    </AsksFirst>
  );
}
