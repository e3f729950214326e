import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { Ago, At } from '../../kit/times.js';
import { useWorkspace } from '../../kit/workspace.js';
import { accessQuery } from './queries.js';
import { usePeopleTexts } from './texts.js';

/** What lets a member in beside codes, and how it is ended. */
export function Access({ memberId }: { memberId: number }): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  const access = useQuery(accessQuery(uuid, memberId));
  return (
    <Section title={texts.access}>
      <p className="quiet">{texts.accessHelp}</p>
      <Read query={access}>
        {({ sessions, tokens }) => (
          <>
            {sessions.total + tokens.total === 0 ? <p>{texts.noAccess}</p> : null}
            {sessions.items.length > 0 ? <Sessions memberId={memberId} sessions={sessions.items} /> : null}
            {tokens.items.length > 0 ? <Tokens memberId={memberId} tokens={tokens.items} /> : null}
          </>
        )}
      </Read>
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
                  changes={[['member', memberId, 'access']]}
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
                  changes={[['member', memberId, 'access']]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
