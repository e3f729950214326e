import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Column, Grid } from '../kit/grid.js';
import { Page, Status } from '../kit/page.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale } from '../texts/texts.js';
import { BulkLabels } from './bulk-labels.js';
import { Filters } from './filters.js';
import { Labels } from './labels.js';
import { NewMember } from './new-member.js';
import { type ListedMember, type Member, membersPage, pageSize } from './queries.js';
import { filtersOf, type MembersSearch, sortOf } from './search.js';
import { type MemberTexts, useMemberTexts } from './texts.js';

/** The people of the workspace: found, chosen, labelled, added and exported. */
export function MembersPage(): ReactNode {
  const texts = useMemberTexts();
  const { uuid, can } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/members' });
  const navigate = useNavigate({ from: '/w/$workspace/members' });
  const [chosen, setChosen] = useChosen(search);
  const change = (changed: MembersSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const mayWrite = can('members:write');
  const mayReadChats = can('chats:read');
  const selection = {
    ids: chosen,
    onChange: setChosen,
    label: (member: Member) => filled(texts.choose, { name: nameOf(member, texts) }),
  };
  return (
    <Page
      fills
      title={texts.members}
      acts={
        <>
          <a className="button" href={exportAddress(uuid, search)} download>
            {texts.export}
          </a>
          {mayWrite ? (
            <Link className="button" to="/w/$workspace/members/import" params={{ workspace: uuid }}>
              {texts.import}
            </Link>
          ) : null}
          {mayWrite ? <NewMember /> : null}
        </>
      }
    >
      <Filters search={search} onChange={change} />
      {mayWrite ? <BulkLabels ids={chosen} onNone={() => setChosen(nobody)} /> : null}
      <Grid
        label={texts.members}
        columns={columnsOf(texts, uuid, mayReadChats)}
        pageSize={pageSize}
        page={(number) => membersPage(uuid, search, number, mayReadChats)}
        sort={sortOf(search)}
        onSort={(sort) => change(sort as MembersSearch)}
        selection={mayWrite ? selection : undefined}
        empty={texts.noMembers}
      />
    </Page>
  );
}

const nobody: ReadonlySet<number> = new Set();

/** The rows that are chosen, only ever of those that the filters show. */
function useChosen(search: MembersSearch) {
  const filters = JSON.stringify(filtersOf(search));
  const [chosen, setChosen] = useState({ filters, ids: nobody });
  const choose = (ids: ReadonlySet<number>) => setChosen({ filters, ids });
  return [chosen.filters === filters ? chosen.ids : nobody, choose] as const;
}

function Day({ at }: { at: string }): ReactNode {
  const locale = useLocale();
  return <time dateTime={at}>{new Date(at).toLocaleDateString(locale, { dateStyle: 'medium' })}</time>;
}

const nameOf = ({ name, email, phone }: Member, texts: MemberTexts): string =>
  name ?? email ?? phone ?? texts.nameless;

/** The file has the members of the list. */
function exportAddress(uuid: string, search: MembersSearch): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filtersOf(search))) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `/api/v2/w/${uuid}/members/export?${query}`;
}

function columnsOf(
  texts: MemberTexts,
  workspace: string,
  showsContact: boolean,
): readonly Column<ListedMember>[] {
  const lastContact: Column<ListedMember> = {
    id: 'lastContact',
    title: texts.lastContact,
    width: '7rem',
    cell: ({ lastMessageAt: at }) => (at === undefined ? null : <Ago at={at} />),
  };
  return [
    {
      id: 'name',
      title: texts.name,
      width: '9.5rem',
      sortBy: 'name',
      cell: (member) => (
        <Link to="/w/$workspace/members/$memberId" params={{ workspace, memberId: String(member.id) }}>
          {nameOf(member, texts)}
        </Link>
      ),
    },
    { id: 'email', title: texts.email, sortBy: 'email', width: '11rem', cell: ({ email }) => email },
    { id: 'phone', title: texts.phone, sortBy: 'phone', width: '9.5rem', cell: ({ phone }) => phone },
    { id: 'labels', title: texts.labels, width: '8rem', cell: ({ labels }) => <Labels labels={labels} /> },
    { id: 'role', title: texts.role, width: '6rem', cell: ({ memberRoleName }) => memberRoleName },
    {
      id: 'state',
      title: texts.state,
      width: '5.5rem',
      cell: ({ disabledAt }) => (
        <Status tone={disabledAt === null ? 'quiet' : 'danger'}>
          {disabledAt === null ? texts.states.enabled : texts.states.disabled}
        </Status>
      ),
    },
    ...(showsContact ? [lastContact] : []),
    {
      id: 'created',
      title: texts.created,
      sortBy: 'createdAt',
      width: '7rem',
      cell: ({ createdAt }) => <Day at={createdAt} />,
    },
  ];
}
