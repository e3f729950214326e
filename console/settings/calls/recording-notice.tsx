import type { ReactNode } from 'react';
import type { Schemas } from '../../kit/api.js';
import { TextAreaField } from '../../kit/field.js';
import { AddLanguage, useLanguageName } from '../../kit/languages.js';
import { filled } from '../../texts/texts.js';
import { RemoveButton } from '../remove-button.js';
import { useSettingsTexts } from '../texts.js';

type Notice = NonNullable<Schemas['WorkspaceResponse']['recordingNotice']>;

interface Props {
  value: Notice;
  withQuestion: boolean;
  onChange(value: Notice): void;
}

/** What the other side of a call hears before it is recorded, by language. */
export function RecordingNotice({ value, withQuestion, onChange }: Props): ReactNode {
  const texts = useSettingsTexts();
  const nameOf = useLanguageName();
  return (
    <>
      <p className="quiet">{texts.noticeHelp}</p>
      {Object.entries(value).map(([language, said]) => {
        const pointer = `/recordingNotice/${language}`;
        const named = { language: nameOf(language) };
        return (
          <div key={language}>
            <TextAreaField
              label={filled(texts.noticeIn, named)}
              pointer={`${pointer}/text`}
              lang={language}
              rows={2}
              required
              maxLength={300}
              value={said.text}
              onChange={({ target }) => onChange({ ...value, [language]: { ...said, text: target.value } })}
            />
            {withQuestion ? (
              <TextAreaField
                label={filled(texts.questionIn, named)}
                pointer={`${pointer}/question`}
                hint={texts.questionHint}
                lang={language}
                rows={2}
                maxLength={300}
                value={said.question ?? ''}
                onChange={({ target: { value: question } }) =>
                  onChange({
                    ...value,
                    [language]: { text: said.text, ...(question === '' ? {} : { question }) },
                  })
                }
              />
            ) : null}
            <p className="acts">
              <RemoveButton
                onClick={() =>
                  onChange(Object.fromEntries(Object.entries(value).filter(([one]) => one !== language)))
                }
              >
                {filled(texts.removeLanguage, named)}
              </RemoveButton>
            </p>
          </div>
        );
      })}
      <AddLanguage
        label={texts.addLanguage}
        taken={Object.keys(value)}
        onAdd={(language) => onChange({ ...value, [language]: { text: '' } })}
      />
    </>
  );
}
