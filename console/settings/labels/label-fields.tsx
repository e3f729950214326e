import type { ReactNode } from 'react';
import { InputField, TextAreaField } from '../../kit/field.js';
import styles from '../settings.module.css';
import type { LabelKind, LabelValues } from './queries.js';
import { useLabelTexts } from './texts.js';

interface Props {
  kind: LabelKind;
  value: LabelValues;
  /** Whether the short name can be written; a new label has one of its name. */
  withSlug?: boolean;
  onChange(changed: LabelValues): void;
}

export function LabelFields({ kind, value, withSlug = false, onChange }: Props): ReactNode {
  const texts = useLabelTexts();
  return (
    <>
      <div className={styles.columns}>
        <InputField
          label={texts.name}
          pointer="/name"
          required
          maxLength={100}
          value={value.name ?? ''}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        {withSlug ? (
          <InputField
            label={texts.slug}
            pointer="/slug"
            hint={texts.slugHint}
            required
            maxLength={63}
            autoCapitalize="none"
            spellCheck={false}
            value={value.slug ?? ''}
            onChange={({ target }) => onChange({ slug: target.value })}
          />
        ) : null}
        <InputField
          label={texts.color}
          pointer="/color"
          type="color"
          value={value.color ?? '#808080'}
          onChange={({ target }) => onChange({ color: target.value })}
        />
      </div>
      {kind === 'member' ? null : (
        <TextAreaField
          label={texts.description}
          pointer="/description"
          maxLength={1_000}
          value={value.description ?? ''}
          onChange={({ target }) => onChange({ description: target.value })}
        />
      )}
    </>
  );
}
