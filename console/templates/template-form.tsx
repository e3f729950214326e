import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { Form, InputField, TextAreaField } from '../kit/field.js';
import { AddLanguage, useLanguageName } from '../kit/languages.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { oneTemplate, type Template } from './queries.js';
import styles from './templates.module.css';
import { useTemplateTexts } from './texts.js';

/** The fields of a template. Who may not change it sees them read-only. */
export function TemplateForm({ template }: { template: Template | undefined }): ReactNode {
  const texts = useTemplateTexts();
  const { can } = useWorkspace();
  const [name, setName] = useState(template?.name ?? '');
  const [shortcut, setShortcut] = useState(template?.shortcut ?? '');
  const [text, setText] = useState(template?.text ?? '');
  const [translations, setTranslations] = useState(template?.translations ?? {});
  const body = { name: name.trim(), shortcut: shortcut.trim() || null, text, translations };
  const save = useSave(template?.id, body);
  const readOnly = !can('workspace:write') || save.isPending;
  const changing = (set: (value: string) => void) => (event: { target: { value: string } }) => {
    save.reset();
    set(event.target.value);
  };
  const translate = (changed: Record<string, string>) => {
    save.reset();
    setTranslations(changed);
  };
  return (
    <div className={styles.form}>
      <Form error={save.error} onSubmit={() => save.mutate()}>
        <InputField
          label={texts.name}
          pointer="/name"
          hint={texts.hintOfName}
          value={name}
          maxLength={100}
          required
          readOnly={readOnly}
          onChange={changing(setName)}
        />
        <InputField
          label={texts.shortcut}
          pointer="/shortcut"
          hint={texts.hintOfShortcut}
          value={shortcut}
          maxLength={30}
          autoCapitalize="none"
          spellCheck={false}
          readOnly={readOnly}
          onChange={changing(setShortcut)}
        />
        <TextAreaField
          label={texts.text}
          pointer="/text"
          hint={texts.hintOfText}
          rows={6}
          value={text}
          required
          readOnly={readOnly}
          onChange={changing(setText)}
        />
        <Translations translations={translations} readOnly={readOnly} change={translate} />
        {can('workspace:write') ? (
          <div className="acts">
            <button type="submit" className="primary" disabled={save.isPending}>
              {texts.save}
            </button>
            {save.isSuccess ? <span role="status">{texts.saved}</span> : null}
          </div>
        ) : null}
      </Form>
    </div>
  );
}

interface TranslationsProps {
  translations: Readonly<Record<string, string>>;
  readOnly: boolean;
  change(translations: Record<string, string>): void;
}

/** The text in further languages. */
function Translations({ translations, readOnly, change }: TranslationsProps): ReactNode {
  const texts = useTemplateTexts();
  const { can } = useWorkspace();
  const nameOf = useLanguageName();
  const without = (language: string) =>
    Object.fromEntries(Object.entries(translations).filter(([one]) => one !== language));
  return (
    <>
      {Object.entries(translations).map(([language, text]) => (
        <div key={language} className={styles.translation}>
          <TextAreaField
            label={filled(texts.translation, { language: nameOf(language) })}
            pointer={`/translations/${language}`}
            hint={texts.hintOfLanguage}
            rows={4}
            lang={language}
            value={text}
            required
            readOnly={readOnly}
            onChange={({ target }) => change({ ...translations, [language]: target.value })}
          />
          {can('workspace:write') ? (
            <button type="button" disabled={readOnly} onClick={() => change(without(language))}>
              {filled(texts.removeLanguage, { language: nameOf(language) })}
            </button>
          ) : null}
        </div>
      ))}
      {can('workspace:write') ? (
        <AddLanguage
          label={texts.addLanguage}
          taken={Object.keys(translations)}
          className={styles.add}
          disabled={readOnly}
          onAdd={(language) => change({ ...translations, [language]: '' })}
        />
      ) : null}
    </>
  );
}

type Body = Pick<Template, 'name' | 'shortcut' | 'text' | 'translations'>;

/** Creates the template, or changes it; a new one is then shown at its own address. */
function useSave(id: number | undefined, body: Body) {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = { workspace_uuid: uuid };
  const { header, onSettled } = useRequestKey();
  return useMutation({
    mutationFn: () =>
      answer(
        id === undefined
          ? api.POST('/w/{workspace_uuid}/message-templates', { params: { path, header }, body })
          : api.PUT('/w/{workspace_uuid}/message-templates/{message_template_id}', {
              params: { path: { ...path, message_template_id: id } },
              body,
            }),
      ),
    onSettled,
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: [uuid, 'templates'] });
      queries.setQueryData(oneTemplate(uuid, saved.id).queryKey, saved);
      if (id !== undefined) return;
      await navigate({
        to: '/w/$workspace/templates/$templateId',
        params: { workspace: uuid, templateId: String(saved.id) },
        replace: true,
      });
    },
  });
}
