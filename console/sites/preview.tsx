import { type ReactNode, useEffect, useState } from 'react';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';

/** Between the last choice and the picture of it. */
const restMs = 250;

interface Props {
  siteUuid: string;
  /** Of a page; by default the home page. */
  slug?: string;
  /** By default the primary one. */
  locale?: string | undefined;
  /** What is not saved of the look. */
  look?: object;
  /** Changes where the page has changed. */
  version: string;
}

/** A page as editors have it. It is framed without scripts, forms and ways out, and has none itself (docs/site-pages.md). */
export function Preview({ siteUuid, slug, locale, look, version }: Props): ReactNode {
  const texts = useSiteTexts();
  const query = new URLSearchParams({
    preview: 'true',
    ...(locale === undefined ? {} : { locale }),
    ...(look === undefined ? {} : { look: JSON.stringify(look) }),
  });
  const address = useRested(`/s/${siteUuid}${slug === undefined ? '' : `/${slug}`}?${query}`);
  return (
    <iframe
      key={version}
      className={styles.preview}
      title={texts.preview}
      src={address}
      sandbox="allow-same-origin"
    />
  );
}

/** A value that has not changed for a moment: who drags a slider does not ask for each step. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
