import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CheckField, Field, InputField, SelectField } from '../kit/field.js';
import { useWorkspace } from '../kit/workspace.js';
import { dataTypesQuery } from './queries.js';
import { placesOf, valueAt, withValue } from './task-document.js';
import { type FormProps, TaskField } from './task-field.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

const waitKinds = ['for', 'until', 'condition', 'event'] as const;
type WaitKind = (typeof waitKinds)[number];

/** What a wait waits for: exactly one of four. */
export function WaitFields(props: FormProps): ReactNode {
  const texts = useWorkflowTexts();
  const { place, onChange } = props;
  const { configuration } = place.task;
  const given = waitKinds.find((kind) => kind in configuration);
  const [chosen, choose] = useState<WaitKind>(given ?? 'for');
  const kind = given ?? chosen;
  const change = (next: WaitKind) => {
    choose(next);
    const others = Object.entries(configuration).filter(([key]) => !waitKinds.some((one) => one === key));
    const limited = next === 'condition' || next === 'event';
    const kept = others.filter(([key]) => limited || key !== 'atMost');
    const first: Partial<Record<WaitKind, string>> = { for: 'P1D', event: 'chat:replied' };
    const added = first[next] === undefined ? {} : { [next]: first[next] };
    onChange({ ...place.task, configuration: { ...Object.fromEntries(kept), ...added } });
  };
  const path = `configuration/${kind}`;
  return (
    <>
      <SelectField
        label={texts.waitsFor}
        pointer={`${place.pointer}/configuration`}
        value={kind}
        onChange={({ target }) => change(target.value as WaitKind)}
      >
        {waitKinds.map((one) => (
          <option key={one} value={one}>
            {texts.waitKinds[one]}
          </option>
        ))}
      </SelectField>
      {kind === 'for' ? <TaskField {...props} path={path} kind="duration" /> : null}
      {kind === 'condition' ? <TaskField {...props} path={path} kind="condition" /> : null}
      {kind === 'condition' || kind === 'event' ? (
        <TaskField {...props} path="configuration/atMost" kind="duration" />
      ) : null}
      {kind === 'until' ? (
        <InputField
          label={texts.fields[path] ?? path}
          pointer={`${place.pointer}/${path}`}
          hint={texts.hints.until}
          value={String(configuration.until ?? '')}
          onChange={({ target }) => onChange(withValue(place.task, path, target.value))}
        />
      ) : null}
      {kind === 'event' ? (
        <SelectField
          label={texts.fields[path] ?? path}
          pointer={`${place.pointer}/${path}`}
          value={String(configuration.event ?? '')}
          onChange={({ target }) => onChange(withValue(place.task, path, target.value))}
        >
          {Object.entries(texts.events).map(([event, name]) => (
            <option key={event} value={event}>
              {name}
            </option>
          ))}
        </SelectField>
      ) : null}
    </>
  );
}

/** The data type that is filled in, and which of its fields. */
export function CollectFields({ place, onChange }: FormProps): ReactNode {
  const texts = useWorkflowTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery(dataTypesQuery(uuid));
  const { task, pointer } = place;
  const slug = String(task.configuration.dataTypeSlug ?? '');
  const chosen = (task.configuration.fieldSlugs ?? []) as readonly string[];
  const types = data?.items ?? [];
  const fields = types.find((type) => type.slug === slug)?.fields ?? [];
  const known = fields.map((field) => ({ slug: field.slug, name: field.name }));
  const unknown = chosen.filter((one) => !known.some((field) => field.slug === one));
  const put = (dataTypeSlug: string, fieldSlugs: readonly string[]) =>
    onChange({ ...task, configuration: { ...task.configuration, dataTypeSlug, fieldSlugs } });
  return (
    <>
      <SelectField
        label={texts.fields['configuration/dataTypeSlug'] ?? ''}
        pointer={`${pointer}/configuration/dataTypeSlug`}
        value={slug}
        onChange={({ target }) => put(target.value, [])}
      >
        {types.some((type) => type.slug === slug) ? null : <option value={slug}>{slug}</option>}
        {types.map((type) => (
          <option key={type.slug} value={type.slug}>
            {type.name}
          </option>
        ))}
      </SelectField>
      <Field
        label={texts.fields['configuration/fieldSlugs'] ?? ''}
        pointer={`${pointer}/configuration/fieldSlugs`}
      >
        {({ id, ...described }) => (
          <fieldset id={id} className={styles.checks} {...described}>
            <legend className="unseen">{texts.fields['configuration/fieldSlugs']}</legend>
            {[...known, ...unknown.map((one) => ({ slug: one, name: one }))].map((field) => (
              <label key={field.slug}>
                <input
                  type="checkbox"
                  checked={chosen.includes(field.slug)}
                  onChange={({ target }) => {
                    const others = chosen.filter((one) => one !== field.slug);
                    put(slug, target.checked ? [...others, field.slug] : others);
                  }}
                />{' '}
                {field.name}
              </label>
            ))}
          </fieldset>
        )}
      </Field>
    </>
  );
}

/** What a decision does where no condition holds, and where it goes back to. */
export function DecisionFields(props: FormProps): ReactNode {
  const texts = useWorkflowTexts();
  const { root, place, onChange } = props;
  const { task, pointer } = place;
  const places = placesOf(root);
  const earlier = places.slice(
    0,
    places.findIndex((one) => one.task.uuid === task.uuid),
  );
  const repeat = String(valueAt(task, 'configuration/repeat') ?? '');
  const goBack = (to: string) => {
    const { repeat: _, atMost = 1, ...others } = task.configuration;
    onChange({
      ...task,
      configuration: to === '' ? withoutLimit(others) : { ...others, repeat: to, atMost },
    });
  };
  return (
    <>
      <CheckField
        label={texts.fields['configuration/otherwise'] ?? ''}
        pointer={`${pointer}/configuration/otherwise`}
        checked={task.configuration.otherwise === 'next'}
        onChange={({ target }) =>
          onChange(withValue(task, 'configuration/otherwise', target.checked ? 'next' : undefined))
        }
      />
      <SelectField
        label={texts.fields['configuration/repeat'] ?? ''}
        pointer={`${pointer}/configuration/repeat`}
        value={repeat}
        onChange={({ target }) => goBack(target.value)}
      >
        <option value="">{texts.nothing}</option>
        {earlier.some((one) => one.task.name === repeat) || repeat === '' ? null : (
          <option value={repeat}>{repeat}</option>
        )}
        {earlier.map((one) => (
          <option key={one.task.uuid} value={one.task.name}>
            {one.task.name}
          </option>
        ))}
      </SelectField>
      {repeat === '' ? null : (
        <InputField
          label={texts.times}
          pointer={`${pointer}/configuration/atMost`}
          type="number"
          min={1}
          max={100}
          value={String(task.configuration.atMost ?? '')}
          onChange={({ target }) =>
            onChange(
              withValue(task, 'configuration/atMost', target.value === '' ? undefined : Number(target.value)),
            )
          }
        />
      )}
    </>
  );
}

function withoutLimit({ atMost: _, ...others }: Record<string, unknown>): Record<string, unknown> {
  return others;
}
