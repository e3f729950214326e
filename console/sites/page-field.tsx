import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type FieldProps, SelectField } from '../kit/field.js';
import { SearchField } from '../kit/search-field.js';
import { foundPages, type SitePath } from './queries.js';
import { useSiteTexts } from './texts.js';

interface Props extends FieldProps {
  at: SitePath;
  value: { id: number; title: string } | undefined;
  onChange(page: { id: number; title: string; slug: string } | undefined): void;
}

/** A field for a page of a site, of which there may be more than a menu can have. */
export function PageField({ at, value, onChange, ...field }: Props): ReactNode {
  const { pages: texts } = useSiteTexts();
  const [search, setSearch] = useState('');
  const { data } = useQuery(foundPages(at, search));
  const found = data?.items ?? [];
  const isListed = value === undefined || found.some(({ id }) => id === value.id);
  return (
    <>
      {search !== '' || (data !== undefined && data.total > found.length) ? (
        <SearchField label={texts.search} value={search} onSearch={(text = '') => setSearch(text)} />
      ) : null}
      <SelectField
        {...field}
        value={value?.id ?? ''}
        onChange={({ target }) => onChange(found.find(({ id }) => String(id) === target.value))}
      >
        <option value="">{texts.choose}</option>
        {isListed ? null : <option value={value.id}>{value.title}</option>}
        {found.map(({ id, title, slug }) => (
          <option key={id} value={id}>
            {title} (/{slug})
          </option>
        ))}
      </SelectField>
    </>
  );
}
