import type { ReactNode } from 'react';
import { useLocale } from '../texts/texts.js';

/** Languages that are offered for texts of people; another one can be written by the API. */
const offered =
  'ar bg cs da de el en es et fa fi fr he hi hr hu it ja ko lt lv nb nl pl pt ro ru sk sl so sv th tr uk ur vi zh'.split(
    ' ',
  );

/** Names a language in that of the page. */
export function useLanguageName(): (language: string) => string {
  const names = new Intl.DisplayNames(useLocale(), { type: 'language' });
  return (language) => names.of(language) ?? language;
}

interface Props {
  label: string;
  /** Languages that there is a text in already. */
  taken: readonly string[];
  disabled?: boolean;
  className?: string | undefined;
  onAdd(language: string): void;
}

/** Adds a text in one more language. */
export function AddLanguage({ label, taken, disabled, className, onAdd }: Props): ReactNode {
  const nameOf = useLanguageName();
  return (
    <select
      aria-label={label}
      className={className}
      value=""
      disabled={disabled}
      onChange={({ target }) => onAdd(target.value)}
    >
      <option value="">{label}</option>
      {offered
        .filter((one) => !taken.includes(one))
        .map((language) => [language, nameOf(language)] as const)
        .toSorted(([, one], [, other]) => one.localeCompare(other))
        .map(([language, shown]) => (
          <option key={language} value={language}>
            {shown}
          </option>
        ))}
    </select>
  );
}
