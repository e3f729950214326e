import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, isGone } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Page, Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { UsedBy } from '../used-by.js';
import { AssistantForm, NewAssistantForm } from './assistant-form.js';
import { type Assistant, assistantQuery, pathOf, workflowsOf } from './queries.js';
import { useAssistantTexts } from './texts.js';

/** An assistant that is not there yet. */
export function NewAssistantPage(): ReactNode {
  const texts = useAssistantTexts();
  return (
    <Page title={texts.create} above={<ToAssistants />}>
      <NewAssistantForm />
    </Page>
  );
}

/** One assistant: what it is told, which models it has, and who uses it. */
export function AssistantPage(): ReactNode {
  const texts = useAssistantTexts();
  const { uuid, can } = useWorkspace();
  const { assistantId } = useParams({ from: '/w/$workspace/settings/assistants/$assistantId' });
  const query = useQuery(assistantQuery(uuid, Number(assistantId)));
  const { data, error } = query;
  if (data === undefined || isGone(error)) {
    return (
      <Page title={texts.assistant} above={<ToAssistants />}>
        {isGone(error) ? <p>{texts.gone}</p> : <Read query={query}>{() => null}</Read>}
      </Page>
    );
  }
  return (
    <Page
      title={data.name}
      above={<ToAssistants />}
      acts={can('assistants:write') ? <RemoveAssistant assistant={data} /> : undefined}
    >
      <ErrorNotice error={error} />
      <Uses assistant={data} />
      <AssistantForm key={data.id} assistant={data} />
    </Page>
  );
}

function ToAssistants(): ReactNode {
  const texts = useAssistantTexts();
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/settings/assistants" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
}

function Uses({ assistant: { memberId, isDefault } }: { assistant: Assistant }): ReactNode {
  const texts = useAssistantTexts();
  const { uuid, can } = useWorkspace();
  const params = { workspace: uuid };
  const workflows = useQuery(workflowsOf(uuid, memberId));
  return (
    <Section title={texts.usedBy}>
      {isDefault ? <p>{texts.byDefault}</p> : null}
      <Read query={workflows}>
        {({ items, total }) => (
          <>
            <UsedBy workflows={items} none={texts.noWorkflows} />
            {total > items.length ? <p>{filled(texts.more, { count: total - items.length })}</p> : null}
          </>
        )}
      </Read>
      <p className="quiet">
        {texts.tools}{' '}
        {can('workspace:write') ? (
          <Link to="/w/$workspace/settings/mcp-servers" params={params}>
            {texts.mcpServers}
          </Link>
        ) : null}
      </p>
    </Section>
  );
}

function RemoveAssistant({ assistant: { id, name } }: { assistant: Assistant }): ReactNode {
  const texts = useAssistantTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const params = { path: pathOf(uuid, id) };
  return (
    <AsksFirst
      title={texts.remove}
      help={filled(texts.removeHelp, { name })}
      tone="danger"
      act={async () => {
        await answer(api.DELETE('/w/{workspace_uuid}/assistants/{assistant_id}', { params }));
        await navigate({ to: '/w/$workspace/settings/assistants', params: { workspace: uuid } });
      }}
      changes={[['assistants']]}
    />
  );
}
