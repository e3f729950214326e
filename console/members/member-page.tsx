import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isGone } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page, Status } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { Assignments } from './assignments.js';
import { Consent } from './consent.js';
import { Calls, Chats } from './conversations.js';
import { Enablement } from './enablement.js';
import { Files } from './files.js';
import { MemberRecords } from './member-records.js';
import styles from './members.module.css';
import { Person } from './person.js';
import { PersonalData } from './personal-data.js';
import { type Member, memberQuery } from './queries.js';
import { useMemberTexts } from './texts.js';

/** One person, and everything that is theirs. */
export function MemberPage(): ReactNode {
  const { memberId } = useParams({ from: '/w/$workspace/members/$memberId' });
  return <OpenMember key={memberId} memberId={Number(memberId)} />;
}

function OpenMember({ memberId }: { memberId: number }): ReactNode {
  const common = useTexts();
  const texts = useMemberTexts();
  const { uuid, can } = useWorkspace();
  const { data: member, error } = useQuery(memberQuery(uuid, memberId));
  const above = can('members:read') ? (
    <Link to="/w/$workspace/members" params={{ workspace: uuid }}>
      {texts.toMembers}
    </Link>
  ) : undefined;
  if (isGone(error)) {
    return (
      <Page title={texts.memberGone} above={above}>
        {Number.isSafeInteger(memberId) ? <PersonalData memberId={memberId} isDeleted /> : null}
      </Page>
    );
  }
  if (member === undefined) {
    return error === null ? <p role="status">{common.loading}</p> : <ErrorNotice error={error} />;
  }
  return (
    <Page
      above={above}
      title={
        <>
          {member.name ?? member.email ?? member.phone ?? texts.nameless}{' '}
          {member.disabledAt === null ? null : <Status tone="danger">{texts.states.disabled}</Status>}
        </>
      }
      acts={can('members:write') ? <Enablement member={member} /> : undefined}
    >
      <ErrorNotice error={error} />
      <Person member={member} />
      <div className={styles.parts}>
        <Parts member={member} />
      </div>
      <PersonalData memberId={member.id} isDeleted={false} />
    </Page>
  );
}

/** What the role of the signed-in member shows. */
function Parts({ member: { id, notifyEmail, notifySms, notifyVoice } }: { member: Member }): ReactNode {
  const { can } = useWorkspace();
  return (
    <>
      {can('members:read') ? (
        <Consent memberId={id} wanted={{ notifyEmail, notifySms, notifyVoice }} />
      ) : null}
      {can('assignments:read') ? <Assignments memberId={id} /> : null}
      {can('chats:read') ? <Chats memberId={id} /> : null}
      {can('chats:read') ? <Calls memberId={id} /> : null}
      <MemberRecords memberId={id} />
      {can('files:read') ? <Files memberId={id} /> : null}
    </>
  );
}
