import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { Ago, lengthOf } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import styles from './inbox.module.css';
import { useInboxTexts } from './texts.js';

/** The latest calls with the member, and what came of them. */
export function Calls({ memberId }: { memberId: number }): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const query = { memberId, pageSize: 5 };
  const { data } = useQuery({
    queryKey: [uuid, 'member', memberId, 'calls'],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/phone-calls', { params: { path: { workspace_uuid: uuid }, query } }),
      ),
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-label={texts.calls}>
      <h3>{texts.calls}</h3>
      <ul className={styles.plainList}>
        {data.items.map((call) => {
          const { id, inbound, status, terminationReason, blockedReason, durationSeconds, createdAt } = call;
          const outcome = blockedReason ?? terminationReason;
          return (
            <li key={id}>
              <Link to="/w/$workspace/calls/$callId" params={{ workspace: uuid, callId: String(id) }}>
                {inbound ? texts.fromMember : texts.toMember}
              </Link>
              : {texts.callStates[status]}
              {outcome === null || outcome === 'completed'
                ? ''
                : ` (${wordsOf(outcome, texts.callOutcomes)})`}
              {durationSeconds === undefined ? '' : `, ${lengthOf(durationSeconds)}`}{' '}
              <span className="quiet">
                <Ago at={createdAt} />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
