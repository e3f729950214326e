import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../kit/api.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { InputField, SelectField } from '../../kit/field.js';
import { useWorkspace } from '../../kit/workspace.js';
import { dataTypesQuery } from '../../members/queries.js';
import { filled } from '../../texts/texts.js';
import { Adder } from '../adder.js';
import { Chosen } from '../chosen.js';
import { numberText } from '../number-text.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';

type Identity = NonNullable<Schemas['WorkspaceResponse']['voiceIdentity']>;
type Question = NonNullable<Identity['questions']>[number];

const memberFields = ['name', 'email', 'dateOfBirth', 'externalId'] as const;
/** Types of fields whose values can be compared with what somebody says. */
const comparable = ['text', 'number', 'integer', 'date', 'email', 'phone', 'select'];
const tries = [
  ['required', 10],
  ['triesPerCall', 5],
  ['triesPerDay', 20],
] as const;

interface Props {
  value: Identity | null;
  onChange(value: Identity | null): void;
}

/** How callers prove who they are. */
export function CallerIdentity({ value, onChange }: Props): ReactNode {
  const texts = useSettingsTexts();
  return (
    <>
      <SelectField
        label={texts.proof}
        pointer="/voiceIdentity"
        value={value?.method ?? ''}
        onChange={({ target: { value: method } }) => {
          if (method === '') onChange(null);
          else if (method === 'none') onChange({ method });
          else onChange({ method: 'questions', questions: [] });
        }}
      >
        <option value="">{texts.proofImpossible}</option>
        <option value="questions">{texts.proofQuestions}</option>
        <option value="none">{texts.proofNone}</option>
      </SelectField>
      {value?.method === 'questions' ? <Questions value={value} onChange={onChange} /> : null}
      {value?.method === 'none' ? <p className="error">{texts.proofNoneRisk}</p> : null}
    </>
  );
}

/** What a question asks for, as one text. */
const keyOf = ({ memberField, dataTypeSlug, fieldSlug }: Question): string =>
  memberField ?? `${dataTypeSlug}/${fieldSlug}`;

function questionOf(key: string): Question {
  const [dataTypeSlug = '', fieldSlug] = key.split('/');
  if (fieldSlug !== undefined) return { dataTypeSlug, fieldSlug };
  const memberField = memberFields.find((one) => one === key);
  return memberField === undefined ? {} : { memberField };
}

function Questions({ value, onChange }: { value: Identity; onChange(value: Identity): void }): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  const { data: types, error } = useQuery(dataTypesQuery(uuid));
  const groups = [
    {
      name: texts.ofMember,
      fields: memberFields.map((field) => ({ key: field as string, name: texts.memberFields[field] })),
    },
    ...(types?.items ?? []).map(({ slug, name, fields }) => ({
      name,
      fields: fields
        .filter(({ fieldType }) => comparable.includes(fieldType))
        .map((field) => ({ key: `${slug}/${field.slug}`, name: `${name}: ${field.name}` })),
    })),
  ];
  const names = new Map(groups.flatMap(({ fields }) => fields.map(({ key, name }) => [key, name] as const)));
  const asked = (value.questions ?? []).map(keyOf);
  const ask = (keys: readonly string[]) => onChange({ ...value, questions: keys.map(questionOf) });
  return (
    <>
      <ErrorNotice error={error} />
      <Adder
        label={texts.questions}
        pointer="/voiceIdentity/questions"
        hint={texts.questionsHint}
        none={texts.addQuestion}
        onAdd={(key) => ask([...asked, key])}
      >
        {groups.map(({ name, fields }) => (
          <optgroup key={name} label={name}>
            {fields
              .filter(({ key }) => !asked.includes(key))
              .map((field) => (
                <option key={field.key} value={field.key}>
                  {field.name}
                </option>
              ))}
          </optgroup>
        ))}
      </Adder>
      <Chosen
        label={texts.questions}
        items={asked}
        name={(key) => names.get(key) ?? key}
        onRemove={(removed) => ask(asked.filter((key) => key !== removed))}
      />
      <div className={styles.columns}>
        {tries.map(([field, most]) => (
          <InputField
            key={field}
            label={texts[field]}
            pointer={`/voiceIdentity/${field}`}
            hint={filled(texts.usually, { number: texts.usual[field] })}
            type="number"
            min={1}
            max={most}
            value={numberText(value[field])}
            onChange={({ target }) => {
              const { [field]: _, ...others } = value;
              onChange(target.value === '' ? others : { ...others, [field]: target.valueAsNumber });
            }}
          />
        ))}
      </div>
    </>
  );
}
