import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Choice } from '../../kit/choice.js';
import { type Column, Grid } from '../../kit/grid.js';
import { Status } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { SearchField } from '../../kit/search-field.js';
import { useWorkspace } from '../../kit/workspace.js';
import { type Member, rolesQuery } from '../../members/queries.js';
import { filled } from '../../texts/texts.js';
import { isOfColleagues, type Role } from '../roles/grants.js';
import { SectionPage } from '../section-page.js';
import { AddColleague } from './add-colleague.js';
import { mostRoles, pageSize, peoplePage } from './queries.js';
import type { PeopleSearch } from './search.js';
import { usePeopleTexts } from './texts.js';

/** The people who may do more than with what is theirs. */
export function PeoplePage(): ReactNode {
  const texts = usePeopleTexts();
  const { uuid, can } = useWorkspace();
  const roles = useQuery(rolesQuery(uuid));
  const theirs = roles.data?.filter(isOfColleagues) ?? [];
  return (
    <SectionPage
      fills
      title={texts.title}
      acts={can('members:write') ? <AddColleague roles={theirs} /> : undefined}
    >
      <p>
        {texts.what} {texts.organization} <Link to="/organizations">{texts.organizations}</Link>
      </p>
      <Read query={roles}>{() => <People roles={theirs} />}</Read>
    </SectionPage>
  );
}

function People({ roles }: { roles: readonly Role[] }): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/settings/people' });
  const navigate = useNavigate({ from: '/w/$workspace/settings/people' });
  const change = (changed: PeopleSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const roleIds = roles.map(({ id }) => id);
  const columns: Column<Member>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name, email, phone }) => (
        <Link to="/w/$workspace/settings/people/$memberId" params={{ workspace: uuid, memberId: String(id) }}>
          {name ?? email ?? phone ?? texts.nameless}
        </Link>
      ),
    },
    { id: 'email', title: texts.email, width: '14rem', cell: ({ email, phone }) => email ?? phone },
    { id: 'role', title: texts.role, cell: ({ memberRoleName }) => memberRoleName },
    {
      id: 'state',
      title: texts.state,
      width: '8rem',
      cell: ({ disabledAt }) =>
        disabledAt === null ? null : <Status tone="danger">{texts.disabled}</Status>,
    },
  ];
  return (
    <>
      <search className="filters">
        <SearchField
          label={texts.search}
          value={search.search}
          onSearch={(text) => change({ search: text })}
        />
        <Choice
          label={texts.role}
          all={texts.allRoles}
          value={search.role}
          options={roles.map(({ id, name }) => [id, name])}
          onChange={(role) => change({ role })}
        />
      </search>
      {search.role === undefined && roles.length > mostRoles ? (
        <p>{filled(texts.manyRoles, { count: mostRoles })}</p>
      ) : null}
      <Grid
        label={texts.title}
        columns={columns}
        pageSize={pageSize}
        page={(page) => peoplePage(uuid, search, roleIds, page)}
        empty={texts.none}
      />
    </>
  );
}
