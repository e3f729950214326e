import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { Status } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { Ago } from '../../kit/times.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { SectionPage } from '../section-page.js';
import { UsedBy } from '../used-by.js';
import { type Secret, secretsQuery, usesQuery } from './queries.js';
import { NewSecret, ReplaceValue } from './secret-forms.js';
import { useSecretTexts } from './texts.js';

/** The secrets that requests of agents carry. A value is written once and never shown. */
export function SecretsPage(): ReactNode {
  const texts = useSecretTexts();
  const { uuid } = useWorkspace();
  const secrets = useQuery(secretsQuery(uuid));
  return (
    <SectionPage title={texts.title} acts={<NewSecret />}>
      <p>{texts.what}</p>
      <Read query={secrets}>
        {(all) => (all.length === 0 ? <p className="quiet">{texts.none}</p> : <Secrets secrets={all} />)}
      </Read>
      <p className="quiet">
        {texts.ownPages} <a href="/settings/api-keys">{texts.keys}</a>,{' '}
        <a href="/settings/applications">{texts.applications}</a>,{' '}
        <a href="/settings/connections">{texts.connections}</a>
      </p>
    </SectionPage>
  );
}

function Secrets({ secrets }: { secrets: readonly Secret[] }): ReactNode {
  const texts = useSecretTexts();
  return (
    <div className="scrolls">
      <table className="list">
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.hosts}</th>
            <th scope="col">{texts.changed}</th>
            <th scope="col">{texts.state}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {secrets.map((secret) => (
            <tr key={secret.id}>
              <td>
                <code>{secret.name}</code>
              </td>
              <td>
                <bdi>{secret.hosts.join(', ')}</bdi>
              </td>
              <td>
                <Ago at={secret.valueChangedAt} />
              </td>
              <td>
                {secret.refusedAt === null ? null : (
                  <Status tone="danger">
                    {texts.refused} <Ago at={secret.refusedAt} />
                  </Status>
                )}
              </td>
              <td>
                <div className="acts">
                  <ReplaceValue secret={secret} />
                  <RemoveSecret secret={secret} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Uses({ secretId }: { secretId: number }): ReactNode {
  const texts = useSecretTexts();
  const { uuid } = useWorkspace();
  const uses = useQuery(usesQuery(uuid, secretId));
  return (
    <>
      <strong>{texts.usedBy}</strong>
      <Read query={uses}>{(workflows) => <UsedBy workflows={workflows} none={texts.notUsed} />}</Read>
    </>
  );
}

function RemoveSecret({ secret: { id, name } }: { secret: Secret }): ReactNode {
  const texts = useSecretTexts();
  const { uuid } = useWorkspace();
  const path = { workspace_uuid: uuid, secret_id: id };
  return (
    <AsksFirst
      title={texts.remove}
      help={filled(texts.removeHelp, { name })}
      tone="danger"
      act={() => answer(api.DELETE('/w/{workspace_uuid}/secrets/{secret_id}', { params: { path } }))}
      changes={[['secrets']]}
    >
      <Uses secretId={id} />
    </AsksFirst>
  );
}
