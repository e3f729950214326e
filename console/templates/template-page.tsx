import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, isGone } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { oneTemplate, type Template } from './queries.js';
import { TemplateForm } from './template-form.js';
import { useTemplateTexts } from './texts.js';

/** A template that is not there yet. */
export function NewTemplatePage(): ReactNode {
  const texts = useTemplateTexts();
  return (
    <Page title={texts.create} above={<ToTemplates />}>
      <TemplateForm template={undefined} />
    </Page>
  );
}

/** One template, to be changed by who may. */
export function TemplatePage(): ReactNode {
  const shared = useTexts();
  const texts = useTemplateTexts();
  const { uuid, can } = useWorkspace();
  const { templateId } = useParams({ from: '/w/$workspace/templates/$templateId' });
  const { data, error } = useQuery(oneTemplate(uuid, Number(templateId)));
  if (data === undefined || isGone(error)) {
    return (
      <Page title={texts.title} above={<ToTemplates />}>
        {error === null ? <p role="status">{shared.loading}</p> : null}
        {isGone(error) ? <p>{texts.notFound}</p> : <ErrorNotice error={error} />}
      </Page>
    );
  }
  return (
    <Page
      title={data.name}
      above={<ToTemplates />}
      acts={can('workspace:write') ? <DeleteTemplate template={data} /> : undefined}
    >
      <ErrorNotice error={error} />
      <TemplateForm key={data.id} template={data} />
    </Page>
  );
}

function ToTemplates(): ReactNode {
  const texts = useTemplateTexts();
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/templates" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
}

function DeleteTemplate({ template: { id, name } }: { template: Template }): ReactNode {
  const texts = useTemplateTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const path = { workspace_uuid: uuid, message_template_id: id };
  return (
    <AsksFirst
      title={texts.remove}
      help={filled(texts.removeQuestion, { name })}
      tone="danger"
      act={async () => {
        await answer(
          api.DELETE('/w/{workspace_uuid}/message-templates/{message_template_id}', { params: { path } }),
        );
        // Before everything is read again: this template is gone.
        await navigate({ to: '/w/$workspace/templates', params: { workspace: uuid } });
      }}
      changes={[['templates']]}
    />
  );
}
