import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Section, Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './members.module.css';
import { type Member, memberKey, memberQuery } from './queries.js';
import { useMemberTexts } from './texts.js';

type OptOut = Schemas['OptOut'];
type Wanted = Pick<Member, 'notifyEmail' | 'notifySms' | 'notifyVoice'>;

/** What the person does not want, since when, and who or what says so. */
export function Consent({ memberId, wanted }: { memberId: number; wanted: Wanted }): ReactNode {
  const common = useTexts();
  const texts = useMemberTexts();
  const { uuid, can } = useWorkspace();
  const path = { workspace_uuid: uuid, member_id: memberId };
  const { data, error } = useQuery({
    queryKey: [...memberKey(uuid, memberId), 'opt-outs'],
    queryFn: () => answer(api.GET('/w/{workspace_uuid}/members/{member_id}/opt-outs', { params: { path } })),
  });
  const off = (['notifyEmail', 'notifySms', 'notifyVoice'] as const).filter((field) => !wanted[field]);
  const inForce = data?.items.filter(({ liftedAt }) => liftedAt === null).map(({ channel }) => channel) ?? [];
  return (
    <Section
      title={texts.consent}
      acts={
        can('members:write') && data !== undefined
          ? (['sms', 'calls'] as const)
              .filter((channel) => !inForce.includes(channel))
              .map((channel) => <OptOutOf key={channel} memberId={memberId} channel={channel} />)
          : undefined
      }
    >
      {off.length === 0 ? null : (
        <p>
          {texts.notWanted}: {off.map((field) => texts.notify[field]).join(', ')}
        </p>
      )}
      <ErrorNotice error={error} />
      {data === undefined && error === null ? <p role="status">{common.loading}</p> : null}
      {data?.items.length === 0 ? <p className="quiet">{texts.allAllowed}</p> : null}
      <ul className={styles.rows}>
        {data?.items.map((optOut) => (
          <li key={`${optOut.channel}-${optOut.optedOutAt}`}>
            <OneOptOut optOut={optOut} />
          </li>
        ))}
      </ul>
      <Bounces memberId={memberId} />
    </Section>
  );
}

function OneOptOut({
  optOut: { channel, source, words, byMemberId, optedOutAt, liftedAt },
}: {
  optOut: OptOut;
}): ReactNode {
  const texts = useMemberTexts();
  const [before, after] = texts.optOutSources[source].split('{name}');
  return (
    <>
      <strong>{texts.optOutChannels[channel]}</strong>{' '}
      <Status tone={liftedAt === null ? 'danger' : 'quiet'}>
        {liftedAt === null ? texts.inForce : texts.lifted}
      </Status>
      <div className="quiet">
        {before}
        {after === undefined ? null : byMemberId === null ? texts.colleague : <Colleague id={byMemberId} />}
        {after}, <At at={optedOutAt} withDay />
        {liftedAt === null ? null : (
          <>
            {' – '}
            <At at={liftedAt} withDay />
          </>
        )}
      </div>
      {words === null ? null : (
        <blockquote className={styles.words} dir="auto">
          {words}
        </blockquote>
      )}
    </>
  );
}

/** Who has done something; it may be deleted since. */
function Colleague({ id }: { id: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery(memberQuery(uuid, id));
  return (
    <Link to="/w/$workspace/members/$memberId" params={{ workspace: uuid, memberId: String(id) }}>
      {data?.name ?? data?.email ?? texts.colleague}
    </Link>
  );
}

function OptOutOf({ memberId, channel }: { memberId: number; channel: 'sms' | 'calls' }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, member_id: memberId } };
  return (
    <AsksFirst
      title={texts.optOutOf[channel]}
      help={texts.optOutConsequence}
      tone="danger"
      act={() =>
        answer(
          channel === 'sms'
            ? api.PUT('/w/{workspace_uuid}/members/{member_id}/sms-opt-outs', { params })
            : api.PUT('/w/{workspace_uuid}/members/{member_id}/call-opt-outs', { params }),
        )
      }
      changes={[['member', memberId]]}
    />
  );
}

/** Nobody has asked for this: a colleague may lift it. */
function Bounces({ memberId }: { memberId: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid, can } = useWorkspace();
  const queries = useQueryClient();
  const params = { path: { workspace_uuid: uuid, member_id: memberId } };
  const { data } = useQuery({
    queryKey: [...memberKey(uuid, memberId), 'email-opt-outs'],
    queryFn: () => answer(api.GET('/w/{workspace_uuid}/members/{member_id}/email-opt-outs', { params })),
  });
  const lift = useMutation({
    mutationFn: () =>
      answer(api.DELETE('/w/{workspace_uuid}/members/{member_id}/email-opt-outs', { params })),
    onSettled: () => queries.invalidateQueries({ queryKey: memberKey(uuid, memberId) }),
  });
  if (data?.items.some(({ source }) => source === 'bounce') !== true) return null;
  return (
    <>
      <p>{texts.bounces}</p>
      {can('members:write') ? (
        <button type="button" disabled={lift.isPending} onClick={() => lift.mutate()}>
          {texts.liftBounce}
        </button>
      ) : null}
      <ErrorNotice error={lift.error} />
    </>
  );
}
