import { type ReactNode, useState } from 'react';
import { SearchField } from '../kit/search-field.js';
import { filled } from '../texts/texts.js';
import { isIndexed } from './columns.js';
import styles from './data.module.css';
import type { DataType, Field } from './queries.js';
import type { RecordsSearch } from './search.js';
import { useDataTexts } from './texts.js';
import { labelOf } from './value.js';

type Operator = 'eq' | 'prefix' | 'gte' | 'lte' | 'given' | 'empty';

const ordered = new Set<string>(['number', 'integer', 'date', 'datetime', 'time']);
const texts = new Set<string>(['text', 'textarea', 'email', 'phone', 'url']);

function operatorsOf({ fieldType }: Field): Operator[] {
  if (ordered.has(fieldType)) return ['eq', 'gte', 'lte', 'given', 'empty'];
  return texts.has(fieldType) ? ['eq', 'prefix', 'given', 'empty'] : ['eq', 'given', 'empty'];
}

/** A filter as the API has it. */
function written(field: Field, operator: Operator, value: string): string {
  const [own, said] =
    operator === 'given' ? ['empty', 'false'] : operator === 'empty' ? ['empty', 'true'] : [operator, value];
  return `${field.slug}:${own}:${said}`;
}

interface Props {
  type: DataType;
  asked: RecordsSearch;
  change(asked: Partial<RecordsSearch>): void;
}

/** Search, filters, and whether retired records are shown. */
export function Filters({ type, asked, change }: Props): ReactNode {
  const texts = useDataTexts();
  const indexed = type.fields.filter(isIndexed);
  const filters = asked.filter ?? [];
  const setFilters = (next: string[]) => change({ filter: next.length === 0 ? undefined : next });
  return (
    <search className="filters">
      <SearchField label={texts.search} value={asked.search} onSearch={(search) => change({ search })} />
      <select
        aria-label={texts.retired}
        value={asked.retired ?? ''}
        onChange={({ target }) =>
          change({ retired: (target.value || undefined) as RecordsSearch['retired'] })
        }
      >
        <option value="">{texts.live}</option>
        <option value="true">{texts.onlyRetired}</option>
        <option value="all">{texts.withRetired}</option>
      </select>
      {indexed.length === 0 || filters.length >= 6 ? null : (
        <NewFilter key={filters.length} fields={indexed} onAdd={(one) => setFilters([...filters, one])} />
      )}
      {filters.map((one) => (
        <Chip
          key={one}
          words={inWords(one, type)}
          onRemove={() => setFilters(filters.filter((other) => other !== one))}
        />
      ))}
    </search>
  );

  function inWords(filter: string, { fields }: DataType): string {
    const [slug = '', operator = '', ...rest] = filter.split(':');
    const field = fields.find((one) => one.slug === slug);
    const value = rest.join(':');
    if (field === undefined) return filter;
    if (operator === 'empty')
      return `${field.name} ${value === 'true' ? texts.operators.empty : texts.operators.given}`;
    const said = texts.operators[operator as Operator] ?? operator;
    return `${field.name} ${said} ${field.fieldType === 'boolean' ? (value === 'true' ? texts.yes : texts.no) : labelOf(field, value)}`;
  }
}

function Chip({ words, onRemove }: { words: string; onRemove(): void }): ReactNode {
  const texts = useDataTexts();
  return (
    <button
      type="button"
      className={styles.chip}
      aria-label={filled(texts.removeFilter, { filter: words })}
      onClick={onRemove}
    >
      {words} <span aria-hidden="true">×</span>
    </button>
  );
}

function NewFilter({ fields, onAdd }: { fields: readonly Field[]; onAdd(filter: string): void }): ReactNode {
  const texts = useDataTexts();
  const [slug, setSlug] = useState('');
  const [operator, setOperator] = useState<Operator>('eq');
  const [value, setValue] = useState('');
  const field = fields.find((one) => one.slug === slug);
  const needsValue = operator !== 'given' && operator !== 'empty';
  const values = field === undefined ? undefined : choicesOf(field, texts.yes, texts.no);
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        if (field !== undefined && (value !== '' || !needsValue)) onAdd(written(field, operator, value));
      }}
    >
      <select
        aria-label={texts.filter}
        value={slug}
        onChange={({ target }) => {
          setSlug(target.value);
          setOperator('eq');
          setValue('');
        }}
      >
        <option value="">{texts.filter} …</option>
        {fields.map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
      </select>
      {field === undefined ? null : (
        <>
          <select
            aria-label={texts.comparison}
            value={operator}
            onChange={({ target }) => setOperator(target.value as Operator)}
          >
            {operatorsOf(field).map((one) => (
              <option key={one} value={one}>
                {texts.operators[one]}
              </option>
            ))}
          </select>
          {!needsValue ? null : values === undefined ? (
            <input
              aria-label={texts.value}
              type={field.fieldType === 'date' || field.fieldType === 'time' ? field.fieldType : 'text'}
              value={value}
              onChange={({ target }) => setValue(target.value)}
            />
          ) : (
            <select aria-label={texts.value} value={value} onChange={({ target }) => setValue(target.value)}>
              <option value="">{texts.choose}</option>
              {values.map(([one, label]) => (
                <option key={one} value={one}>
                  {label}
                </option>
              ))}
            </select>
          )}
          <button type="submit">{texts.apply}</button>
        </>
      )}
    </form>
  );
}

function choicesOf(field: Field, yes: string, no: string): [string, string][] | undefined {
  if (field.fieldType === 'boolean')
    return [
      ['true', yes],
      ['false', no],
    ];
  const values = field.options?.map((option) => (typeof option === 'string' ? option : option.value));
  return values?.map((value) => [value, labelOf(field, value)]);
}
