import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, ProblemError } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
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
  if (error !== null) {
    const isGone = error instanceof ProblemError && error.problem.status === 404;
    return (
      <Page title={texts.title} above={<ToTemplates />}>
        {isGone ? <p>{texts.notFound}</p> : <ErrorNotice error={error} />}
      </Page>
    );
  }
  if (data === undefined) return <p role="status">{shared.loading}</p>;
  return (
    <Page
      title={data.name}
      above={<ToTemplates />}
      acts={can('workspace:write') ? <DeleteTemplate template={data} /> : undefined}
    >
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
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      answer(
        api.DELETE('/w/{workspace_uuid}/message-templates/{message_template_id}', {
          params: { path: { workspace_uuid: uuid, message_template_id: id } },
        }),
      ),
    onSuccess: async () => {
      await navigate({ to: '/w/$workspace/templates', params: { workspace: uuid } });
      queries.removeQueries({ queryKey: [uuid, 'templates', 'one', id] });
      await queries.invalidateQueries({ queryKey: [uuid, 'templates'] });
    },
  });
  return (
    <DialogButton title={texts.remove}>
      {() => (
        <>
          <p>{filled(texts.removeQuestion, { name })}</p>
          <button
            type="button"
            className="danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {texts.remove}
          </button>
          <ErrorNotice error={remove.error} />
        </>
      )}
    </DialogButton>
  );
}
