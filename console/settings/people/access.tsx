import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { More } from '../../kit/more.js';
import { Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { Ago, At } from '../../kit/times.js';
import { useWorkspace } from '../../kit/workspace.js';
import { accessKey, sessionsOf, tokensOf } from './queries.js';
import { usePeopleTexts } from './texts.js';

/** What lets a member in beside codes, and how it is ended. */
export function Access({ memberId }: { memberId: number }): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  const sessions = useInfiniteQuery(sessionsOf(uuid, memberId));
  const tokens = useInfiniteQuery(tokensOf(uuid, memberId));
  const isNone = [sessions, tokens].every(({ data }) => data?.pages[0]?.total === 0);
  return (
    <Section title={texts.access}>
      <p className="quiet">{texts.accessHelp}</p>
      {isNone ? <p>{texts.noAccess}</p> : null}
      <Read query={sessions}>
        {({ pages }) => <Sessions memberId={memberId} sessions={pages.flatMap(({ items }) => items)} />}
      </Read>
      <More query={sessions} />
      <Read query={tokens}>
        {({ pages }) => <Tokens memberId={memberId} tokens={pages.flatMap(({ items }) => items)} />}
      </Read>
      <More query={tokens} />
    </Section>
  );
}

interface SessionsProps {
  memberId: number;
  sessions: readonly Schemas['SessionResponse'][];
}

function Sessions({ memberId, sessions }: SessionsProps): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  if (sessions.length === 0) return null;
  return (
    <div className="scrolls">
      <table className="list">
        <thead>
          <tr>
            <th scope="col">{texts.session}</th>
            <th scope="col">{texts.lastUsed}</th>
            <th scope="col">{texts.ends}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ uuid: session, userAgent, lastUsedAt, expiresAt }) => (
            <tr key={session}>
              <td>{userAgent ?? '–'}</td>
              <td>
                <Ago at={lastUsedAt} />
              </td>
              <td>
                <At at={expiresAt} withDay />
              </td>
              <td>
                <AsksFirst
                  title={texts.endSession}
                  help={texts.endSessionHelp}
                  tone="danger"
                  act={() => {
                    const path = { workspace_uuid: uuid, member_id: memberId, session_uuid: session };
                    return answer(
                      api.DELETE('/w/{workspace_uuid}/members/{member_id}/sessions/{session_uuid}', {
                        params: { path },
                      }),
                    );
                  }}
                  changes={[accessKey(memberId)]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TokensProps {
  memberId: number;
  tokens: readonly Schemas['UsableMemberToken'][];
}

function Tokens({ memberId, tokens }: TokensProps): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  if (tokens.length === 0) return null;
  return (
    <div className="scrolls">
      <table className="list">
        <thead>
          <tr>
            <th scope="col">{texts.token}</th>
            <th scope="col">{texts.ends}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ id, createdAt, expiresAt }) => (
            <tr key={id}>
              <td>
                <Ago at={createdAt} />
              </td>
              <td>
                <At at={expiresAt} withDay />
              </td>
              <td>
                <AsksFirst
                  title={texts.revokeToken}
                  help={texts.revokeTokenHelp}
                  tone="danger"
                  act={() => {
                    const path = { workspace_uuid: uuid, member_id: memberId, token_id: id };
                    return answer(
                      api.DELETE('/w/{workspace_uuid}/members/{member_id}/tokens/{token_id}', {
                        params: { path },
                      }),
                    );
                  }}
                  changes={[accessKey(memberId)]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
