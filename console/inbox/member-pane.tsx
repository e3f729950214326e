import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { Read } from '../kit/read.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { Calls } from './calls.js';
import type { Chat } from './chat-feed.js';
import styles from './inbox.module.css';
import { memberOf } from './member-of.js';
import { Records } from './records.js';
import { TaskPanel } from './task-panel.js';
import { useInboxTexts } from './texts.js';

/** Who the member is, what it is asked, and what happened with it before. */
export function MemberPane({ chat, close }: { chat: Chat; close: () => void }): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { can } = useWorkspace();
  const memberId = memberOf(chat)?.memberId;
  return (
    <aside className={styles.member} aria-label={texts.member}>
      <button type="button" className={styles.closeMember} onClick={close}>
        {shared.close}
      </button>
      {memberId === undefined || !can('members:read') ? null : <Identity memberId={memberId} />}
      {chat.summary === null ? null : (
        <section>
          <h3>{texts.summary}</h3>
          <p className={styles.text}>{chat.summary}</p>
        </section>
      )}
      {chat.assignmentId === null || !can('assignments:read') ? null : (
        <TaskPanel assignmentId={chat.assignmentId} />
      )}
      {memberId === undefined ? null : <Records memberId={memberId} />}
      {memberId === undefined || !can('chats:read') ? null : <Calls memberId={memberId} />}
      {memberId === undefined ? null : <OtherChats memberId={memberId} except={chat.id} />}
    </aside>
  );
}

function Identity({ memberId }: { memberId: number }): ReactNode {
  const { uuid } = useWorkspace();
  const query = useQuery({
    queryKey: [uuid, 'member', memberId],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/members/{member_id}', {
          params: { path: { workspace_uuid: uuid, member_id: memberId } },
        }),
      ),
  });
  return <Read query={query}>{(member) => <WhoItIs member={member} />}</Read>;
}

function WhoItIs({ member }: { member: Schemas['WorkspaceMemberResponse'] }): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const fields = {
    [texts.phone]: member.phone,
    [texts.email]: member.email,
    [texts.dateOfBirth]: member.dateOfBirth,
    [texts.language]: member.locale,
    [texts.externalId]: member.externalId,
  };
  const refused = [
    member.smsOptedOutAt !== null || !member.notifySms ? texts.sms : undefined,
    member.notifyEmail ? undefined : texts.email,
    member.notifyVoice ? undefined : texts.calls,
  ].filter((one) => one !== undefined);
  return (
    <section>
      <h2>
        <Link to="/w/$workspace/members/$memberId" params={{ workspace: uuid, memberId: String(member.id) }}>
          {member.name ?? texts.unknownPerson}
        </Link>
      </h2>
      {member.disabledAt === null ? null : <p className="error">{texts.disabled}</p>}
      <p>
        {member.labels.map(({ id, name }) => (
          <span key={id} className="chip">
            {name}
          </span>
        ))}
      </p>
      <dl className={styles.fields}>
        {Object.entries(fields).map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
        {refused.length === 0 ? null : (
          <div>
            <dt>{texts.optedOut}</dt>
            <dd className="error">{refused.join(', ')}</dd>
          </div>
        )}
      </dl>
      {member.description === null ? null : <p className={styles.text}>{member.description}</p>}
    </section>
  );
}

function OtherChats({ memberId, except }: { memberId: number; except: number }): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { uuid } = useWorkspace();
  const query = {
    memberId: [memberId],
    pageSize: 6,
    sortBy: 'lastMessageReceivedAt' as const,
    sortOrder: 'desc' as const,
  };
  const { data } = useQuery({
    queryKey: [uuid, 'member', memberId, 'chats'],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/chats', {
          params: { path: { workspace_uuid: uuid }, query },
        }),
      ),
  });
  const others = data?.items.filter(({ id }) => id !== except) ?? [];
  if (others.length === 0) return null;
  return (
    <section>
      <h3>{texts.otherChats}</h3>
      <ul className={styles.plainList}>
        {others.map(({ id, channel, title, createdAt, lastMessageReceivedAt }) => (
          <li key={id}>
            <Link
              to="/w/$workspace/inbox/$chatId"
              params={{ workspace: uuid, chatId: String(id) }}
              search={(before) => before}
            >
              {title ?? shared.channels[channel]}
            </Link>{' '}
            <span className="quiet">
              <Ago at={lastMessageReceivedAt ?? createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
